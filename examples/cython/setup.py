"""A package of one module that is compiled against the installed qwirkle_fast."""

from Cython.Build import cythonize
from setuptools import setup

setup(name="greedy", version="1.0", ext_modules=cythonize("greedy.pyx"))
