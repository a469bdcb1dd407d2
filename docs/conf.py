"""Sphinx configuration: ``sphinx-build -W docs docs/_build/html``."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # the directive of this folder

project = "qwirkle_fast"
author = "The qwirkle_fast authors"
copyright = "2026, The qwirkle_fast authors"
release = installed_version("qwirkle-fast")
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.doctest", "sphinx.ext.viewcode", "figures"]
exclude_patterns = ["_build"]

myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"

# The examples in docstrings run under pytest, in their own module's namespace; the doctest builder runs the
# ``{doctest}`` and ``{testcode}`` directives.
doctest_test_doctest_blocks = ""

html_theme = "furo"
html_title = f"qwirkle_fast {release}"


def drop_aliases(app, what, name, obj, options, lines):  # the arguments that the event gives
    """Say nothing of a named tuple's field where its class does not: Python's own words are no help."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app):
    app.connect("autodoc-process-docstring", drop_aliases)
