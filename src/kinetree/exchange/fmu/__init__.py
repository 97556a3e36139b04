"""FMUs as controllers and loads of a model (import); `exchange/fmi` writes them."""
