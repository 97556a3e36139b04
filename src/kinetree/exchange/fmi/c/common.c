/* What FMI 2 and FMI 3 share. Value references: 0 time, then states, derivatives, inputs, slopes of
   inputs, outputs and parameters, each from its own first number on. */
#include <stdio.h>
#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

enum { VR_TIME = 0, VR_STATE = 1, VR_RATE = 100001, VR_INPUT = 200001, VR_SLOPE = 300001, VR_OUTPUT = 400001,
       VR_PARAMETER = 500001 };
enum { FINE, DISCARD, BAD }; /* results of the functions below */

typedef struct {
    NAME *m;
    int exchange, logging, initialized, moved;
    int fresh, seen;                /* whether `ydot`, `values` belong to the present time and state */
    double t, y[N_STATES + 1], ydot[N_STATES + 1], values[N_OUTPUTS + 1];
    double u[N_INPUTS + 1], du[N_INPUTS + 1];
    int touched[N_INPUTS + 1];
    double rtol;                    /* of the integrator of the importer */
    double event, behind;           /* time of the next time event, and of the last one */
    void *environment, *log;
    char name[128], text[512];
} Unit;

static void report(Unit *c, int result, const char *text); /* as a message of the FMI version */

static int failed(Unit *c, int status) {
    if (status == OK) return FINE;
    snprintf(c->text, sizeof c->text, "model %s at t = %.9g s: %s.", MODEL_NAME, c->t, F(message)(status));
    /* another state or a shorter step may help, but no other number of a parameter */
    int result = status == NO_SUCH || status == OUT_OF_RANGE || !c->exchange ? BAD : DISCARD;
    report(c, result, c->text);
    return result;
}

static int refuse(Unit *c, const char *what, unsigned reference) {
    snprintf(c->text, sizeof c->text, "model %s: %s (value reference %u).", MODEL_NAME, what, reference);
    report(c, BAD, c->text);
    return BAD;
}

static void stale(Unit *c) { c->fresh = c->seen = 0; }

/* Breaks of time functions are time events: until one is handled, rates belong to the time before it. */
static void find_event(Unit *c) {
    const double *breaks = (const double *)AT(c->m, AT_BREAKS);
    c->event = INFINITY;
    for (int k = N_BREAKS - 1; k >= 0; k--)
        if (breaks[k] > c->t) c->event = breaks[k];
}
static double side(const Unit *c) {
    if (c->t == c->event) return nextafter(c->t, -INFINITY);
    if (c->t == c->behind) return nextafter(c->t, INFINITY);
    return c->t;
}

static void start(Unit *c, NAME *m) {
    c->m = m;
    c->t = F(time)(m);
    c->initialized = c->moved = 0;
    c->event = INFINITY, c->behind = -INFINITY, c->rtol = RTOL;
    memcpy(c->y, F(state)(m), 8 * N_STATES);
    for (int k = 0; k < N_INPUTS; k++) c->u[k] = F(input)(m, k, &c->du[k]), c->touched[k] = 0;
    stale(c);
}

/* Inputs are straight lines from the present time on. */
static void commit(Unit *c) {
    for (int k = 0; k < N_INPUTS; k++)
        if (c->touched[k]) F(set_input)(c->m, k, c->u[k], c->exchange ? 0.0 : c->du[k]), c->touched[k] = 0;
}

static int get(Unit *c, unsigned vr, double *value) {
    if (vr >= VR_PARAMETER) {
        if (vr - VR_PARAMETER >= (unsigned)N_PARAMETERS) return refuse(c, "there is no such parameter", vr);
        *value = F(parameter)(c->m, (int)(vr - VR_PARAMETER));
    } else if (vr >= VR_OUTPUT) {
        if (vr - VR_OUTPUT >= (unsigned)N_OUTPUTS) return refuse(c, "there is no such output", vr);
        if (!c->seen) {
            commit(c);
            int status = observe(c->m, side(c), c->y, !c->exchange, c->values);
            if (status) return failed(c, status);
            c->seen = 1;
        }
        *value = c->values[vr - VR_OUTPUT];
    } else if (vr >= VR_INPUT) {
        unsigned k = vr >= VR_SLOPE ? vr - VR_SLOPE : vr - VR_INPUT;
        if (k >= (unsigned)N_INPUTS) return refuse(c, "there is no such input", vr);
        *value = vr >= VR_SLOPE ? c->du[k] : c->u[k];
    } else if (vr >= VR_RATE) {
        if (vr - VR_RATE >= (unsigned)N_STATES) return refuse(c, "there is no such derivative", vr);
        if (!c->fresh) {
            commit(c);
            int status = F(rates)(c->m, side(c), c->y, c->ydot);
            if (status) return failed(c, status);
            c->fresh = 1;
        }
        *value = c->ydot[vr - VR_RATE];
    } else if (vr > (unsigned)N_STATES) {
        return refuse(c, "there is no such variable", vr);
    } else
        *value = vr == VR_TIME ? c->t : c->y[vr - VR_STATE];
    return FINE;
}

static int set(Unit *c, unsigned vr, double value) {
    if (!(value - value == 0.0)) return refuse(c, "a value that is not finite cannot be set", vr);
    stale(c);
    if (vr >= VR_PARAMETER) {
        int status = F(set_parameter)(c->m, (int)(vr - VR_PARAMETER), value);
        if (status) return failed(c, status);
        if (!c->initialized) memcpy(c->y, F(state)(c->m), 8 * N_STATES);
    } else if (vr >= VR_INPUT && vr < VR_OUTPUT) {
        unsigned k = vr >= VR_SLOPE ? vr - VR_SLOPE : vr - VR_INPUT;
        if (k >= (unsigned)N_INPUTS) return refuse(c, "there is no such input", vr);
        if (vr >= VR_SLOPE)
            c->du[k] = value;
        else
            c->u[k] = value, c->du[k] *= SLOPES;
        c->touched[k] = 1;
    } else if (vr >= VR_STATE && vr <= (unsigned)N_STATES) {
        c->y[vr - VR_STATE] = value;
    } else
        return refuse(c, "this variable cannot be set", vr);
    return FINE;
}

static int get_all(Unit *c, const unsigned *vr, size_t n, double *values) {
    int result = FINE;
    for (size_t k = 0; k < n && result == FINE; k++) result = get(c, vr[k], values + k);
    return result;
}

static int set_all(Unit *c, const unsigned *vr, size_t n, const double *values) {
    int result = FINE;
    for (size_t k = 0; k < n && result == FINE; k++) result = set(c, vr[k], values[k]);
    return result;
}

/* Move the state onto the constraints; returns by how much, in tolerances, and leaves small changes out. */
static int settle(Unit *c, double least, int *moved) {
    double now[N_STATES + 1], most = 0.0;
    *moved = 0;
    memcpy(now, c->y, 8 * N_STATES);
    int status = F(settle)(c->m, side(c), now);
    if (status) return failed(c, status);
    for (int k = 0; k < N_STATES; k++)
        most = fmax(most, fabs(now[k] - c->y[k]) / (c->rtol * (NOMINALS[k] + fabs(c->y[k]))));
    if (most <= least) return FINE;
    memcpy(c->y, now, 8 * N_STATES);
    *moved = 1;
    stale(c);
    return FINE;
}

static void set_tolerance(Unit *c, double tolerance) {
    double *rtol = (double *)AT(c->m, AT_RTOL), *atol = (double *)AT(c->m, AT_ATOL);
    for (int k = 0; k < N_WIDTH; k++) atol[k] *= tolerance / *rtol;
    *rtol = tolerance;
}

static void experiment(Unit *c, int has_tolerance, double tolerance, double t, int has_stop, double stop) {
    if (has_tolerance && tolerance > 1e-14 && tolerance < 1.0) {
        c->rtol = tolerance;
        if (!c->exchange) set_tolerance(c, tolerance);
    }
    if (has_stop && stop > t) NUMBER(c->m, AT_UNTIL) = stop;
    if (t != F(time)(c->m)) F(set_state)(c->m, t, c->y, 0);
    c->t = t;
}

static int initialized(Unit *c) {
    int moved = 0;
    commit(c);
    find_event(c);
    int changed = memcmp(c->y, F(state)(c->m), 8 * N_STATES) != 0;
    int result = changed ? settle(c, 0.0, &moved) : FINE;
    if (changed) F(set_state)(c->m, c->t, c->y, 0);
    c->m->fixed = c->initialized = 1;
    stale(c);
    return result;
}

static int completed(Unit *c, int *event) {
    int moved = 0, result = SETTLES ? settle(c, 10.0, &moved) : FINE;
    c->moved |= moved;
    *event = moved;
    return result;
}

/* In event mode: what changed, and when the next time event is. */
static int handle_event(Unit *c, int *moved) {
    int result = FINE, driven = 0;
    stale(c);
    if (c->t >= c->event) {
        c->behind = c->t;
        if (INTEGER(c->m, AT_DRIVERS)) result = settle(c, 0.0, &driven);
    }
    find_event(c);
    *moved = c->moved || driven;
    c->moved = 0;
    return result;
}

static int do_step(Unit *c, double t, double h) {
    if (fabs(t - c->t) > 1e-9 * (fabs(t) + h)) {
        snprintf(c->text, sizeof c->text, "model %s: a step from t = %.9g s was asked for at t = %.9g s.", MODEL_NAME,
                 t, c->t);
        report(c, BAD, c->text);
        return BAD;
    }
    if (memcmp(c->y, F(state)(c->m), 8 * N_STATES)) F(set_state)(c->m, c->t, c->y, 1);
    commit(c);
    int status = F(advance)(c->m, t + h);
    c->t = status ? F(time)(c->m) : t + h;
    memcpy(c->y, F(state)(c->m), 8 * N_STATES);
    for (int k = 0; k < N_INPUTS; k++) c->u[k] = F(input)(c->m, k, &c->du[k]);
    stale(c);
    return failed(c, status);
}

/* Central differences along a direction. */
static int directional(Unit *c, const unsigned *z, size_t nz, const unsigned *x, size_t nx, const double *dx,
                       double *dz) {
    enum { MOST = N_STATES + N_INPUTS + N_PARAMETERS + 1 };
    double keep[MOST], back, size = 0.0;
    int result = nx > MOST ? BAD : get_all(c, x, nx, keep);
    for (size_t k = 0; k < nx && result == FINE; k++) size = fmax(size, fabs(dx[k]) / (1.0 + fabs(keep[k])));
    double e = size > 0.0 ? 6e-6 / size : 0.0; /* third root of the rounding error */
    for (int sign = 1; sign >= -1 && result == FINE; sign -= 2) {
        for (size_t k = 0; k < nx && result == FINE; k++) result = set(c, x[k], keep[k] + sign * e * dx[k]);
        for (size_t k = 0; k < nz && result == FINE; k++) {
            result = get(c, z[k], &back);
            dz[k] = sign > 0 ? back : e > 0.0 ? (dz[k] - back) / (2.0 * e) : 0.0;
        }
    }
    for (size_t k = 0; k < nx && nx <= MOST; k++) set(c, x[k], keep[k]);
    return result;
}

/* A saved state: the record, then the instance. */
static size_t state_size(void) { return sizeof(Unit) + F(bytes)(); }

static void *save_state(const Unit *c, void *to) {
    if (!to) to = malloc(state_size());
    if (to) {
        memcpy(to, c, sizeof(Unit));
        F(save)(c->m, (char *)to + sizeof(Unit));
    }
    return to;
}

static void load_state(Unit *c, const void *from) {
    Unit own = *c;
    memcpy(c, from, sizeof(Unit));
    c->m = own.m, c->environment = own.environment, c->log = own.log, c->logging = own.logging;
    memcpy(c->name, own.name, sizeof own.name);
    F(load)(c->m, (const char *)from + sizeof(Unit));
}

static Unit *new_unit(const char *name, int exchange, int logging, void *environment, void *log) {
    Unit *c = calloc(1, sizeof(Unit));
    NAME *m = F(new)();
    if (!c || !m) {
        free(c), F(free)(m);
        return NULL;
    }
    snprintf(c->name, sizeof c->name, "%s", name ? name : "");
    c->exchange = exchange, c->logging = logging, c->environment = environment, c->log = log;
    start(c, m);
    return c;
}

static void reset_unit(Unit *c) {
    F(reset)(c->m);
    start(c, c->m);
}
