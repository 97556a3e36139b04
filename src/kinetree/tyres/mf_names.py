"""The coefficients of the magic formula, version 5.2, by the names of tyre property files, and where each lies."""

FORCES_X = ("PCX1", "PDX1", "PDX2", "PDX3", "PEX1", "PEX2", "PEX3", "PEX4", "PKX1", "PKX2", "PKX3", "PHX1", "PHX2", "PVX1",
            "PVX2", "RBX1", "RBX2", "RCX1", "REX1", "REX2", "RHX1")
FORCES_Y = ("PCY1", "PDY1", "PDY2", "PDY3", "PEY1", "PEY2", "PEY3", "PEY4", "PKY1", "PKY2", "PKY3", "PHY1", "PHY2", "PHY3",
            "PVY1", "PVY2", "PVY3", "PVY4", "RBY1", "RBY2", "RBY3", "RCY1", "REY1", "REY2", "RHY1", "RHY2", "RVY1", "RVY2",
            "RVY3", "RVY4", "RVY5", "RVY6")
MOMENTS = ("QSX1", "QSX2", "QSX3", "QSY1", "QSY2", "QSY3", "QSY4", "QBZ1", "QBZ2", "QBZ3", "QBZ4", "QBZ5", "QBZ9", "QBZ10",
           "QCZ1", "QDZ1", "QDZ2", "QDZ3", "QDZ4", "QDZ6", "QDZ7", "QDZ8", "QDZ9", "QEZ1", "QEZ2", "QEZ3", "QEZ4", "QEZ5",
           "QHZ1", "QHZ2", "QHZ3", "QHZ4", "SSZ1", "SSZ2", "SSZ3", "SSZ4")
SCALES = ("LFZO", "LCX", "LMUX", "LEX", "LKX", "LHX", "LVX", "LGAX", "LCY", "LMUY", "LEY", "LKY", "LHY", "LVY", "LGAY", "LTR",
          "LRES", "LGAZ", "LXAL", "LYKA", "LVYKA", "LS", "LMX", "LVMX", "LMY")
SIZES = ("FNOMIN", "UNLOADED_RADIUS", "LONGVL")
NAMES = (*SIZES, *FORCES_X, *FORCES_Y, *MOMENTS, *SCALES)
NEEDED = ("FNOMIN", "PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY1", "PKY2")  # without these there is no formula
USUAL = {**dict.fromkeys(NAMES, 0.0), **dict.fromkeys(SCALES, 1.0), "LONGVL": 16.7, "UNLOADED_RADIUS": 0.3,
         "RCX1": 1.0, "RCY1": 1.0, "QCZ1": 1.0}

(FNOMIN, R0, LONGVL,
 PCX1, PDX1, PDX2, PDX3, PEX1, PEX2, PEX3, PEX4, PKX1, PKX2, PKX3, PHX1, PHX2, PVX1, PVX2, RBX1, RBX2, RCX1, REX1, REX2, RHX1,
 PCY1, PDY1, PDY2, PDY3, PEY1, PEY2, PEY3, PEY4, PKY1, PKY2, PKY3, PHY1, PHY2, PHY3, PVY1, PVY2, PVY3, PVY4,
 RBY1, RBY2, RBY3, RCY1, REY1, REY2, RHY1, RHY2, RVY1, RVY2, RVY3, RVY4, RVY5, RVY6,
 QSX1, QSX2, QSX3, QSY1, QSY2, QSY3, QSY4, QBZ1, QBZ2, QBZ3, QBZ4, QBZ5, QBZ9, QBZ10, QCZ1, QDZ1, QDZ2, QDZ3, QDZ4,
 QDZ6, QDZ7, QDZ8, QDZ9, QEZ1, QEZ2, QEZ3, QEZ4, QEZ5, QHZ1, QHZ2, QHZ3, QHZ4, SSZ1, SSZ2, SSZ3, SSZ4,
 LFZO, LCX, LMUX, LEX, LKX, LHX, LVX, LGAX, LCY, LMUY, LEY, LKY, LHY, LVY, LGAY, LTR, LRES, LGAZ, LXAL, LYKA, LVYKA, LS,
 LMX, LVMX, LMY) = range(len(NAMES))
