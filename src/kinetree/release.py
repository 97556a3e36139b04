"""The version number. This file is its only place: the build and the documentation read it here."""

VERSION = "0.1.0"
