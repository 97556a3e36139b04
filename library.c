#include "library.h"
#define NAME library
#define F(name) library_##name
#define KERNELS library_kernels
enum {
    AT_TABLES = 64,
    AT_WORK = 1216,
    AT_RUN = 3456,
    AT_SESSION = 4416,
    AT_SEEN = 4480,
    AT_SEEN_WORK = 5632,
    AT_FRAMES = 7872,
    AT_VIEW = 8000,
    AT_RECORD = 8256,
    AT_OUTPUTS = 8768,
    AT_NOW = 16256,
    AT_RESTART = 16304,
    AT_NEXT_BREAK = 16328,
    AT_Y = 16384,
    AT_ACCEPTED = 12816,
    AT_EVALUATIONS = 12832,
    AT_VIEW_T = 16768,
    AT_VIEW_Y = 16832,
    AT_VIEW_YDOT = 17344,
    AT_VALUES = 18560,
    AT_BREAKS = 0,
    AT_DRIVERS = 16344,
    AT_UNTIL = 16264,
    AT_RTOL = 12496,
    AT_ATOL = 14064,
    AT_FACTORISATIONS = 20304,
    K_ADVANCE = 0,
    K_OBSERVE = 1,
    K_OUTPUTS = 2,
    K_RATES = 3,
    K_SETTLE = 4,
    K_START = 5,
    K_STEP = 6,
    K_DENSE = 7,
    K_RHS = 8,
    K_PROJECT = 9,
    K_STILL = 10,
    SIGNAL_A = 9,
    SIGNAL_B = 10,
    SIGNAL_BEGIN = 13,
    ARENA_BYTES = 25408, OBSERVED = 0,
    N_STATES = 4, N_INPUTS = 0, N_OUTPUTS = 1,
    N_WIDTH = 6, N_BREAKS = 0,
    N_MOVES = 475, N_CALLS = 12,
    BACKWARD = 200, NOT_A_NUMBER = 201, NO_SUCH = 202,
    OUT_OF_RANGE = 203
};
static const uint64_t ARENA_WORDS[] = {
0,0,0,0,0,0,0,0,0,0x3u,0,0x1u,0,0,0,0,0,0,0,0x1u,0,0,0,0x2u,0,0,0,0,0,0x2u,0,0x2u,0,0x2u,0,0x2u,0,0,0,0x1u,0,0x8u,
0,0x1du,0x5u,0,0xau,0,0x1u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x4u,0,0,0,0,0,0x6u,0,0xeu,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0x2u,0,0x3u,0,0,0xfu,0,0,0,0,0,0,0,0x2u,0,0x3u,0x12u,0,0x2u,0,0,0,0,0x1u,0,0x2u,0,0x2u,0,0,0,
0,0,0,0,0,0,0x2u,0,0x2u,0,0,0xbu,0,0x6u,0,0x2u,0,0x2u,0,0x2u,0,0x2u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0x5u,0,0xcu,0,0,0x6u,0,0,0x16u,0,0,0x9u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x4u,0x6u,0,0,0x6u,0,0,0xcu,0,0,0,0,
0,0,0,0,0x3u,0,0,0x28u,0,0,0x2u,0,0,0,0,0,0,0,0,0,0x1u,0,0,0x6u,0,0,0,0,0,0,0,0x2u,0,0,0,0,0,0x4u,0,0,0x4u,0,0,
0,0,0,0,0,0,0,0,0,0,0x1u,0,0x1u,0,0x7u,0x10u,0,0x26u,0x6u,0,0x1u,0,0x1u,0,0x1u,0x6u,0,0x1u,0,0,0,0,0,0,0,0,0,0,
0,0,0x8u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x2u,0,0,0,0,0,0,0,0,0xcu,0x3u,0,0,0xbu,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x15u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x1u,0,0x6u,0,0,0,0,
0,0x3u,0,0x1u,0,0,0,0,0,0,0,0x1u,0,0,0,0x2u,0,0,0,0,0,0x2u,0,0x2u,0,0x2u,0,0x2u,0,0,0,0x1u,0,0x8u,0,0x1du,0x5u,
0,0xau,0,0x1u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x4u,0,0,0,0,0,0x6u,0,0xeu,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0x2u,0,0x3u,0,0,0xfu,0,0,0,0,0,0,0,0x2u,0,0x3u,0x12u,0,0x2u,0,0,0,0,0x1u,0,0x2u,0,0x2u,0,0,0,0,0,0,0,0,0,0x2u,
0,0x2u,0,0,0xbu,0,0x4u,0,0x2u,0,0x2u,0,0x2u,0,0x2u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x2u,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x5u,
0,0xcu,0,0,0x6u,0,0,0x16u,0,0,0x9u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x4u,0x6u,0,0,0x6u,0,0,0xcu,0,0,0,0,0,0,0,0,0x3u,
0,0,0x28u,0,0,0x2u,0,0,0,0,0,0,0,0,0,0x1u,0,0,0x6u,0,0,0,0,0,0,0,0x2u,0,0,0,0,0,0x4u,0,0,0x4u,0,0,0,0,0,0,0,0,0,
0,0,0,0x2u,0,0x2u,0,0x2u,0,0x2u,0x3u,0,0,0,0x1u,0,0,0,0,0x1u,0,0x1u,0x4u,0,0x1u,0x2u,0,0x1u,0,0,0x1u,0,0,0x3u,0x9u,
0,0x3u,0x3u,0,0x4u,0,0x4u,0,0x4u,0,0x2u,0,0,0,0,0,0x1u,0x3u,0x3u,0,0x1u,0x3u,0x9u,0,0x1u,0x3u,0x3u,0,0x1u,0x3u,
0x3u,0,0x1u,0x3u,0x3u,0,0x1u,0x3u,0x3u,0,0x1u,0,0x1u,0,0x1u,0x6u,0,0x1u,0x1u,0,0x1u,0x1u,0,0x1u,0x1u,0x3u,0,0x1u,
0x1u,0x6u,0,0x1u,0,0x1u,0x2u,0x6u,0,0x1u,0,0,0x1u,0,0,0x1u,0,0,0x1u,0,0,0,0x1u,0,0x1u,0,0,0,0x68u,0,0x1u,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x1u,0,0,0,0x1u,0x1u,0,0,0x3ff0000000000000u,
0,0,0,0x3ff0000000000000u,0x3ff0000000000000u,0,0,0,0,0,0,0x3ff0000000000000u,0,0x3fe0000000000000u,0,0x3fb5555555555555u,
0,0,0x3f50624dd2f1a9fcu,0,0x3fb5555555555555u,0x3cf2cf5e6ad41d16u,0x1u,0x1u,0,0x1u,0x1u,0x1u,0x1u,0,0x3ff0000000000000u,
0,0,0,0x3ff0000000000000u,0,0,0,0x3ff0000000000000u,0,0x3ff0000000000000u,0,0,0x3ff0000000000000u,0,0x3fe0000000000000u,
0,0x3fb5555555555555u,0,0,0x3f50624dd2f1a9fcu,0,0x3fb5555555555555u,0x3cf2cf5e6ad41d16u,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x1u,0,0,0,0,0,0,0x1u,0,0,0,0,0,0x1u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0x3ff0000000000000u,0,0,0,0,0,0,0,0x4024000000000000u,0,0,0,0,0,0,0,0xffffffffffffffffu,0,0,0,
0,0,0,0,0x3cf2cf5e6ad41d16u,0x3cf2cf5e6ad41d16u,0,0,0,0,0,0,0x3ff0000000000000u,0x3ff0000000000000u,0,0,0,0,0,0,
0,0,0xc0239eb851eb851fu,0x3ff0000000000000u,0x3d719799812dea11u,0,0x2u,0x2u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x40339eb851eb851fu,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x1u,0x2u,0x3u,0x4u,0x5u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0x3ff0000000000000u,0x3eb0c6f7a0b5ed8du,0x3ff3988e1409212eu,0,0x3ff0000000000000u,0x39b4484bfeebc2a0u,0,0,0,
0xcu,0,0,0,0,0,0x4010000000000000u,0x3fd1111111111111u,0,0x3ff0000000000000u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x4u,0,0,0,0,0,0,0,0,0xf000000000000000u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3fb999999999999au,
0,0,0,0,0,0x3eb0c6f7a0b5ed8du,0x3eb0c6f7a0b5ed8du,0x3eb0c6f7a0b5ed8du,0x3eb0c6f7a0b5ed8du,0x3f29b7612abd42ecu,0x3f29b7612abd42ecu,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3ff0000000000000u,0x3ff0000000000000u,
0x3d719f99812dea11u,0,0,0x1u,0,0,0,0x1u,0,0,0,0,0,0x3fb999999999999au,0,0,0,0,0,0,0,0x1u,0x2u,0,0,0,0,0,0,0x3ff0000000000000u,
0x3ff0000000000000u,0,0,0,0,0,0,0x1u,0x2u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3fb999999999999au,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3ff0000000000000u,0,0,0,0x3ff0000000000000u,0,0,0,0x3ff0000000000000u,0,0,0x3ff0000000000000u,
0x3ff0000000000000u,0,0,0,0x3ff0000000000000u,0,0,0,0x3ff0000000000000u,0x3ff0000000000000u,0,0,0,0x3ff0000000000000u,
0,0,0,0,0,0,0,0,0,0,0x3fe0000000000000u,0,0,0x3fe0000000000000u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0x1u,0,0,0xffffffffffffffffu,0,0,0,0,0,0,0,0,0,0,0x1u,0,0x3ff0000000000000u,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3ff0000000000000u,
0,0,0,0x3ff0000000000000u,0,0,0,0x3ff0000000000000u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3ff0000000000000u,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3ff0000000000000u,
0,0,0,0x3ff0000000000000u,0,0,0,0x3ff0000000000000u,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3ff0000000000000u,

};
static const uint32_t MOVES[][2] = {
{64,8896},{80,9664},{96,0},{112,0},{128,0},{144,9920},{160,0},{176,10048},{192,0},{208,0},{224,10304},{240,10368},
{256,10432},{272,10496},{288,0},{304,10560},{320,10752},{336,10816},{360,12032},{376,12160},{392,0},{408,0},{424,0},
{440,0},{456,0},{472,0},{488,0},{504,0},{520,0},{536,0},{552,0},{568,0},{584,0},{600,0},{616,0},{632,0},{648,0},
{664,0},{680,0},{696,0},{712,0},{728,0},{744,0},{760,0},{776,0},{792,0},{808,0},{824,0},{840,0},{856,0},{872,0},
{888,0},{904,0},{928,0},{944,0},{960,12224},{976,12288},{992,0},{1008,0},{1024,0},{1040,0},{1056,0},{1072,0},{1088,0},
{1104,0},{1120,0},{1136,0},{1152,0},{1168,0},{1184,0},{1200,12416},{1216,18624},{1232,0},{1256,0},{1272,0},{1288,0},
{1304,22592},{1320,22848},{1344,0},{1368,0},{1384,20224},{1400,23296},{1416,23360},{1432,0},{1448,0},{1464,0},{1480,0},
{1496,23424},{1512,23488},{1528,0},{1552,23552},{1568,23616},{1584,23680},{1600,23744},{1616,23808},{1632,0},{1648,0},
{1664,0},{1680,0},{1696,0},{1712,0},{1736,0},{1760,0},{1776,0},{1792,0},{1808,0},{1824,0},{1840,0},{1856,0},{1880,0},
{1904,0},{1928,0},{1944,0},{1960,0},{1984,0},{2008,0},{2032,0},{2056,0},{2072,0},{2088,0},{2104,0},{2120,0},{2144,0},
{2160,0},{2176,0},{2192,0},{2208,0},{2224,0},{2240,0},{2256,0},{2272,0},{2288,0},{2304,0},{2320,0},{2336,0},{2352,0},
{2368,0},{2384,0},{2408,0},{2432,0},{2456,0},{2472,0},{2488,0},{2504,0},{2520,0},{2536,0},{2552,0},{2568,0},{2592,0},
{2616,0},{2632,0},{2648,0},{2664,0},{2680,0},{2696,0},{2712,0},{2728,0},{2760,0},{2784,0},{2808,0},{2832,0},{2848,0},
{2864,0},{2880,0},{2896,0},{2912,0},{2928,0},{2960,0},{2984,0},{3008,0},{3024,0},{3040,0},{3056,0},{3080,0},{3104,0},
{3128,0},{3144,0},{3160,0},{3176,0},{3192,23872},{3208,0},{3232,0},{3256,0},{3280,0},{3312,0},{3328,23936},{3344,0},
{3368,0},{3384,0},{3400,0},{3456,12480},{3472,12672},{3488,13120},{3512,14016},{3536,15872},{3552,16064},{3568,16128},
{3592,16192},{3608,0},{3624,0},{3648,0},{3672,0},{3688,0},{3720,0},{3744,0},{3760,0},{3776,0},{3792,0},{3808,0},
{3824,0},{3840,0},{3864,0},{3880,0},{3896,0},{3912,0},{3944,0},{3968,0},{3984,0},{4000,0},{4016,0},{4032,0},{4048,0},
{4064,0},{4080,0},{4096,0},{4112,0},{4136,0},{4160,0},{4184,0},{4200,0},{4216,0},{4232,0},{4256,0},{4272,0},{4288,0},
{4304,0},{4320,0},{4336,0},{4352,0},{4368,0},{4416,16256},{4432,16384},{4448,0},{4464,0},{4480,8896},{4496,9664},
{4512,0},{4528,0},{4544,0},{4560,9920},{4576,0},{4592,10048},{4608,0},{4624,0},{4640,10304},{4656,10368},{4672,10432},
{4688,10496},{4704,0},{4720,10560},{4736,10752},{4752,10816},{4776,12032},{4792,12160},{4808,0},{4824,0},{4840,0},
{4856,0},{4872,0},{4888,0},{4904,0},{4920,0},{4936,0},{4952,0},{4968,0},{4984,0},{5000,0},{5016,0},{5032,0},{5048,0},
{5064,0},{5080,0},{5096,0},{5112,0},{5128,0},{5144,0},{5160,0},{5176,0},{5192,0},{5208,0},{5224,0},{5240,0},{5256,0},
{5272,0},{5288,0},{5304,0},{5320,0},{5344,0},{5360,0},{5376,12224},{5392,12288},{5408,0},{5424,0},{5440,0},{5456,0},
{5472,0},{5488,0},{5504,0},{5520,0},{5536,0},{5552,0},{5568,0},{5584,0},{5600,0},{5616,12416},{5632,20608},{5648,0},
{5672,0},{5688,0},{5704,0},{5720,24000},{5736,24256},{5760,0},{5784,0},{5800,22208},{5816,24704},{5832,24768},{5848,0},
{5864,0},{5880,0},{5896,0},{5912,24832},{5928,24896},{5944,0},{5968,24960},{5984,25024},{6000,25088},{6016,25152},
{6032,25216},{6048,0},{6064,0},{6080,0},{6096,0},{6112,0},{6128,0},{6152,0},{6176,0},{6192,0},{6208,0},{6224,0},
{6240,0},{6256,0},{6272,0},{6296,0},{6320,0},{6344,0},{6360,0},{6376,0},{6400,0},{6424,0},{6448,0},{6472,0},{6488,0},
{6504,0},{6520,0},{6536,0},{6560,0},{6576,0},{6592,0},{6608,0},{6624,0},{6640,0},{6656,0},{6672,0},{6688,0},{6704,0},
{6720,0},{6736,0},{6752,0},{6768,0},{6784,0},{6800,0},{6824,0},{6848,0},{6872,0},{6888,0},{6904,0},{6920,0},{6936,0},
{6952,0},{6968,0},{6984,0},{7008,0},{7032,0},{7048,0},{7064,0},{7080,0},{7096,0},{7112,0},{7128,0},{7144,0},{7176,0},
{7200,0},{7224,0},{7248,0},{7264,0},{7280,0},{7296,0},{7312,0},{7328,0},{7344,0},{7376,0},{7400,0},{7424,0},{7440,0},
{7456,0},{7472,0},{7496,0},{7520,0},{7544,0},{7560,0},{7576,0},{7592,0},{7608,25280},{7624,0},{7648,0},{7672,0},
{7696,0},{7728,0},{7744,25344},{7760,0},{7784,0},{7800,0},{7816,0},{7872,16448},{7888,16512},{7904,16576},{7920,16640},
{7944,0},{7960,16704},{8000,16768},{8016,16832},{8040,16896},{8064,0},{8088,0},{8112,16960},{8136,17216},{8160,17344},
{8176,17376},{8192,17408},{8208,17472},{8256,17728},{8288,17800},{8320,18016},{8352,18088},{8384,18160},{8416,18232},
{8448,18304},{8464,18312},{8480,18320},{8504,18368},{8528,18376},{8552,18384},{8584,18408},{8616,18456},{8632,18464},
{8664,0},{8688,0},{8712,0},{8736,0},{8768,17536},{8784,17664},{8800,0},{8816,17728},{8832,18560},
};
static const uint32_t CALLS[][2] = {
{10752,11},{10760,12},{10768,13},{10776,14},{10784,15},{10792,16},{10800,17},{10856,18},{10864,19},{10872,20},{10880,21},
{12032,22},
};
static const int32_t INPUT_FIRST[] = {
0,
};
static const uint32_t INPUT_PLACES[] = {
0,
};
enum { N_PARAMETERS = 0, N_PATCHES = 0 };
static const double PARAMETER_STARTS[N_PARAMETERS + 1] = {
0x0.0p+0,
};
static const double PARAMETER_LOW[N_PARAMETERS + 1] = {
0x0.0p+0,
};
static const double PARAMETER_HIGH[N_PARAMETERS + 1] = {
0x0.0p+0,
};
static const double PARAMETER_MIDDLE[N_PARAMETERS + 1] = {
0x0.0p+0,
};
static const double PARAMETER_HALF[N_PARAMETERS + 1] = {
0x0.0p+0,
};
static const uint32_t PATCHES[][4] = {
{0, 0, 0, 0},
};
static const double TERM_FACTORS[] = {
0,
};
static const int32_t TERM_FIRST[] = {
0,
};
static const int32_t TERM_PARAMETERS[] = {
0,
};
static const struct { int status; const char *text; } MESSAGES[] = {
    {14, "user code raised an error or returned NaN"},
    {1, "a force or acceleration became NaN or infinite"},
    {2, "the mass matrix lost rank"},
    {3, "the constraints became singular"},
    {7, "the next step leads to a change point"},
    {4, "positions could not be projected onto the constraints"},
    {5, "the step size fell to the spacing of floating-point numbers"},
    {6, "the tolerance is below what rounding allows"},
    {8, "the maximum number of steps was reached"},
    {9, "the time limit was reached"},
    {10, "the steps became so short that the run would never end"},
    {11, "the position that a driver prescribes jumps"},
    {12, "the rate that a driver prescribes jumps where no breakpoint is declared"},
    {16, "a force acts out of the plane of the computation"},
    {21, "no modes of the contacts agree with the laws of friction and impact"},
    {0, "no error"},
    {100, "the budget of steps is used up: call again"},
    {13, "a step was too long for the constraints. Use a smaller tolerance"},
    {200, "the time lies before the present time: set the state, or load a saved one"},
    {201, "the time is not a number"},
    {202, "there is no input or parameter with this number"},
    {203, "the value is outside of the range for which the parameter was exported"},
};
const char *const library_state_names[] = {"A.angle", "B.angle", "A.angle.rate", "B.angle.rate", NULL};
const char *const library_input_names[] = {NULL};
const char *const library_output_names[] = {"A.angle", NULL};
const char *const library_parameter_names[] = {NULL};
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kernels take blocks as addresses of their rows, an array as its address and its size. */
typedef int64_t (*advance_kernel)(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                                  double, int64_t, int64_t);
typedef int64_t (*observe_kernel)(void *, void *, void *, void *, void *, void *, int64_t, void *);
typedef int64_t (*outputs_kernel)(void *, void *, void *, void *, void *);
typedef int64_t (*rates_kernel)(void *, void *, void *, double, double *, int64_t, double *, int64_t);
typedef int64_t (*settle_kernel)(void *, void *, void *, double, double *, int64_t);
extern void *const KERNELS[];

enum { LINE = 64, OK = 0, MORE = 100 };

/* The arena follows the record, at the next line of 64 bytes. */
struct NAME {
    double parameters[N_PARAMETERS + 1];
    int64_t fixed; /* the arena has been used since the parameters were set */
};
#define HEAD ((sizeof(NAME) + LINE - 1) / LINE * LINE)
#define ARENA(m) ((unsigned char *)(m) + HEAD)
#define AT(m, place) (ARENA(m) + (place))
#define NUMBER(m, place) (*(double *)AT(m, place))
#define INTEGER(m, place) (*(int64_t *)AT(m, place))

static void relocate(NAME *m) {
    unsigned char *a = ARENA(m);
    for (size_t k = 0; k < N_MOVES; k++) {
        uint64_t where = (uint64_t)(uintptr_t)(a + MOVES[k][1]);
        memcpy(a + MOVES[k][0], &where, 8);
    }
    for (size_t k = 0; k < N_CALLS; k++) {
        uint64_t where = (uint64_t)(uintptr_t)KERNELS[CALLS[k][1]];
        memcpy(a + CALLS[k][0], &where, 8);
    }
}

size_t F(bytes)(void) { return HEAD + ARENA_BYTES; }

NAME *F(place)(void *memory) {
    NAME *m = memory;
    memset(m, 0, HEAD);
    memcpy(m->parameters, PARAMETER_STARTS, sizeof m->parameters);
    memcpy(ARENA(m), ARENA_WORDS, sizeof ARENA_WORDS);
    memset(ARENA(m) + sizeof ARENA_WORDS, 0, ARENA_BYTES - sizeof ARENA_WORDS);
    relocate(m);
    return m;
}

/* The address that malloc returned lies just before the instance. */
NAME *F(new)(void) {
    unsigned char *raw = malloc(F(bytes)() + LINE + sizeof(void *));
    if (!raw) return NULL;
    uintptr_t at = ((uintptr_t)raw + sizeof(void *) + LINE - 1) / LINE * LINE;
    ((void **)at)[-1] = raw;
    return F(place)((void *)at);
}

void F(free)(NAME *m) {
    if (m) free(((void **)m)[-1]);
}

void F(reset)(NAME *m) { F(place)(m); }

void F(save)(const NAME *m, void *memory) { memcpy(memory, m, F(bytes)()); }

void F(load)(NAME *m, const void *memory) {
    memcpy(m, memory, F(bytes)());
    relocate(m);
}

double F(time)(const NAME *m) { return NUMBER(m, AT_NOW); }
const double *F(state)(const NAME *m) { return (const double *)AT(m, AT_Y); }
long F(steps)(const NAME *m) { return (long)INTEGER(m, AT_ACCEPTED); }
long F(evaluations)(const NAME *m) { return (long)INTEGER(m, AT_EVALUATIONS); }

static int advance(NAME *m, double t, int exact, long most) {
    if (!(t >= NUMBER(m, AT_NOW))) return t == t ? BACKWARD : NOT_A_NUMBER;
    m->fixed = 1;
    return (int)((advance_kernel)KERNELS[K_ADVANCE])(
        AT(m, AT_TABLES), AT(m, AT_WORK), KERNELS[K_START], KERNELS[K_STEP], KERNELS[K_DENSE], KERNELS[K_RHS],
        KERNELS[K_PROJECT], AT(m, AT_RUN), AT(m, AT_SESSION), t, exact, most);
}

int F(advance)(NAME *m, double t) { return advance(m, t, 0, 1L << 30); }
int F(step)(NAME *m, double t, long most) { return advance(m, t, 0, most); }
int F(advance_exactly)(NAME *m, double t) { return advance(m, t, 1, 1L << 30); }

int F(settle)(NAME *m, double t, double *y) {
    return (int)((settle_kernel)KERNELS[K_SETTLE])(AT(m, AT_SEEN), AT(m, AT_SEEN_WORK), KERNELS[K_PROJECT], t, y,
                                                   N_STATES);
}

int F(set_state)(NAME *m, double t, const double *y, int settle) {
    double *own = (double *)AT(m, AT_Y);
    memmove(own, y, 8 * N_STATES);
    int status = settle ? F(settle)(m, t, own) : OK;
    if (t < NUMBER(m, AT_NOW)) INTEGER(m, AT_NEXT_BREAK) = 0;
    NUMBER(m, AT_NOW) = t;
    INTEGER(m, AT_RESTART) = 1;
    return status;
}

/* The method restarts only where the line of an input changes. */
int F(set_input)(NAME *m, int k, double value, double slope) {
    if (k < 0 || k >= N_INPUTS) return NO_SUCH;
    double now = NUMBER(m, AT_NOW);
    for (int i = INPUT_FIRST[k]; i < INPUT_FIRST[k + 1]; i++) {
        double *row = (double *)AT(m, INPUT_PLACES[i]);
        double *a = row + SIGNAL_A, *b = row + SIGNAL_B, *begin = row + SIGNAL_BEGIN;
        double before = *a + *b * (now - *begin);
        if (fabs(before - value) <= 1e-12 * fabs(value) && fabs(*b - slope) <= 1e-12 * fabs(slope)) continue;
        *a = value, *b = slope, *begin = now;
        if (INTEGER(m, AT_RESTART) == 0) INTEGER(m, AT_RESTART) = 2; /* as after a break */
    }
    return OK;
}

double F(input)(const NAME *m, int k, double *slope) {
    if (k < 0 || k >= N_INPUTS) return NAN;
    const double *row = (const double *)AT(m, INPUT_PLACES[INPUT_FIRST[k]]);
    if (slope) *slope = row[SIGNAL_B];
    return row[SIGNAL_A] + row[SIGNAL_B] * (NUMBER(m, AT_NOW) - row[SIGNAL_BEGIN]);
}

int F(rates)(NAME *m, double t, const double *y, double *ydot) {
    double *own = (double *)AT(m, AT_VIEW_Y), *out = (double *)AT(m, AT_VIEW_YDOT);
    memmove(own, y, 8 * N_STATES);
    int status = (int)((rates_kernel)KERNELS[K_RATES])(AT(m, AT_SEEN), AT(m, AT_SEEN_WORK), KERNELS[K_RHS], t, own,
                                                       N_STATES, out, N_STATES);
    memcpy(ydot, out, 8 * N_STATES);
    return status;
}

static int observe(NAME *m, double t, const double *y, int project, double *values) {
    memmove(AT(m, AT_VIEW_Y), y, 8 * N_STATES);
    NUMBER(m, AT_VIEW_T) = t;
    int status = (int)((observe_kernel)KERNELS[K_OBSERVE])(
        AT(m, AT_SEEN), AT(m, AT_SEEN_WORK), KERNELS[K_RHS], KERNELS[project ? K_PROJECT : K_STILL],
        AT(m, AT_FRAMES), AT(m, AT_VIEW), OBSERVED, AT(m, AT_RECORD));
    ((outputs_kernel)KERNELS[K_OUTPUTS])(AT(m, AT_SEEN), AT(m, AT_SEEN_WORK), AT(m, AT_VIEW), AT(m, AT_RECORD),
                                         AT(m, AT_OUTPUTS));
    memcpy(values, AT(m, AT_VALUES), 8 * N_OUTPUTS);
    return status;
}

int F(outputs)(NAME *m, double *values) { return observe(m, NUMBER(m, AT_NOW), (double *)AT(m, AT_Y), 1, values); }
int F(outputs_at)(NAME *m, double t, const double *y, double *values) { return observe(m, t, y, 0, values); }

double F(parameter)(const NAME *m, int k) { return k < 0 || k >= N_PARAMETERS ? NAN : m->parameters[k]; }

/* Numbers of the arena are polynomials of the parameters u, scaled to -1 .. 1. */
static double polynomial(const double *u, int first, int count) {
    double sum = 0.0;
    for (int i = first; i < first + count; i++) {
        double term = TERM_FACTORS[i];
        for (int j = TERM_FIRST[i]; j < TERM_FIRST[i + 1]; j++) term *= u[TERM_PARAMETERS[j]];
        sum += term;
    }
    return sum;
}

int F(set_parameter)(NAME *m, int k, double value) {
    if (k < 0 || k >= N_PARAMETERS) return NO_SUCH;
    if (!(value >= PARAMETER_LOW[k] && value <= PARAMETER_HIGH[k])) return OUT_OF_RANGE;
    double u[N_PARAMETERS + 1];
    m->parameters[k] = value;
    for (int i = 0; i < N_PARAMETERS; i++) u[i] = (m->parameters[i] - PARAMETER_MIDDLE[i]) / PARAMETER_HALF[i];
    for (int i = 0; i < N_PATCHES; i++) {
        if (PATCHES[i][1] && m->fixed) continue; /* initial states, once the run has begun */
        NUMBER(m, PATCHES[i][0]) = polynomial(u, (int)PATCHES[i][2], (int)PATCHES[i][3]);
    }
    if (INTEGER(m, AT_RESTART) == 0) INTEGER(m, AT_RESTART) = 1;
    INTEGER(m, AT_FACTORISATIONS) = 0; /* kept factors belong to other masses */
    return OK;
}

const char *F(message)(int status) {
    for (size_t k = 0; k < sizeof MESSAGES / sizeof *MESSAGES; k++)
        if (MESSAGES[k].status == status) return MESSAGES[k].text;
    return "unknown status";
}
