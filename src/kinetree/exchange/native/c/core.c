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
