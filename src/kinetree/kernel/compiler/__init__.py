"""From the syntax tree of a function to LLVM text: one pass, in which types follow the values."""
