"""Non-negative and semi-supervised factorization: every method behind one registry.

>>> import methods
>>> methods.spec("nmf").title
'NMF'
>>> methods.create("nmf", n_components=5).n_components
5
"""

from methods.registry import create, names, spec, specs
from methods.spec import Facts, Param, Spec
from methods.step import Step

__all__ = ["Facts", "Param", "Spec", "Step", "create", "names", "spec", "specs"]
