"""From the syntax tree of a function to LLVM text: one pass, in which types follow the values.

A function is written by one `Writer`. Its class is built up in layers, one file each, which can be
read in this order:

    values.py       a value: its type and the LLVM registers that have it        source.py   the
                    syntax tree of a function
    text.py         instructions, labels, places on the stack                    pieces.py
                    operators that LLVM does not have
    conversions.py  a value as another type                                      unit.py
                    functions already written; modules
    variables.py    which place has a variable, and when its type must be wider
    arithmetic.py   operators and comparisons, and which products are fused with sums
    addresses.py    numbers at addresses, fields of records, arrays of blocks
    memory.py       elements and views of arrays
    functions.py    functions of Python and `math`
    calls.py        calls of pieces, kernels, addresses, user code
    names.py        names and attributes
    subscripts.py   x[i], x[a:b], items of tuples
    expressions.py  one method for each kind of expression: expr_BinOp, expr_Call, ...
    loops.py        for, while, break, continue
    assignments.py  =, +=, unpacking, filling of arrays
    statements.py   one method for each kind of statement: stmt_If, stmt_Return, ...
    writer.py       arguments, body and result: the text of one function

What a construct means is stated in the docstring of the method that writes it;
`docs/kernel-language.md` is for those who write kernels.
"""
