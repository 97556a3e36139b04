"""Tire laws and tire property files: `kt.Tyre(..., law=kt.tyres.Fiala(...))`."""

from .catalogue import evaluate
from .contract import TyreLaw, sae
from .fiala import Fiala
from .linear import Linear
from .magic_formula import MagicFormula
from .property_file import TyreFile, read_tir

__all__ = ["Fiala", "Linear", "MagicFormula", "TyreFile", "TyreLaw", "evaluate", "read_tir", "sae"]
