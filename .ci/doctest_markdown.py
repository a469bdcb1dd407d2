"""Runs the ``>>>`` examples of Markdown files, each in one namespace: ``python .ci/doctest_markdown.py README.md``.

The standard doctest would take the fence that closes a code block for expected output, so fences are blanked first;
line numbers stay true.
"""

import doctest
import re
import sys
from pathlib import Path

FENCE = re.compile(r"^[ >]*(```|~~~|:::).*$", re.MULTILINE)


def run(path: Path, runner: doctest.DocTestRunner) -> int:
    """Runs one file's examples; returns how many it has."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, path.name, str(path), 0)
    runner.run(test)
    return len(test.examples)


def main(names: list[str]) -> int:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    for name in names:
        print(f"{name}: {run(Path(name), runner)} examples", flush=True)
    failed, tried = runner.summarize()
    print(f"{tried} examples in {len(names)} files, {failed} wrong")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
