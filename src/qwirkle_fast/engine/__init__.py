"""The protocol: the engine on standard input and output, a line at a time, as chess engines speak UCI.

It is specified in the chapter of the manual on the protocol.  Each game has a *mind*, which knows its positions and
thinks; the conversation is the same for all.
"""

from .conversation import Conversation

__all__ = ["Conversation"]
