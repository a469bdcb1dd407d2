"""HTTP for other frontends and a web page for people, over one application.

``create_app()`` makes the ASGI application that ``qwirkle-fast serve`` runs; it needs the extra ``web``.
"""

from .app import create_app
from .limits import Limits

__all__ = ["Limits", "create_app"]
