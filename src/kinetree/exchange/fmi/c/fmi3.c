/* Functions of FMI 3.0 [FMI3], written from the standard. */
#include <stdbool.h>
typedef void *fmi3Instance, *fmi3Environment, *fmi3FMUState;
typedef uint32_t Reference;
typedef const char *fmi3String;
typedef const uint8_t *fmi3Binary;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } Dependency;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } Qualifier;
typedef void (*Logger)(fmi3Environment, Status, fmi3String, fmi3String);
typedef void (*Update)(fmi3Environment, double, bool, bool, bool, bool, bool *, double *);
typedef void (*ClockUpdate)(fmi3Environment);
typedef void (*Lock)(void);

#define C ((Unit *)c)
#define API EXPORT Status
#define FMI(result) ((result) == FINE ? fmi3OK : (result) == DISCARD ? fmi3Discard : fmi3Error)
#define UNSUPPORTED(c) FMI(refuse((Unit *)(c), "this function of FMI is not supported", 0))

static void report(Unit *c, int result, const char *text) {
    Logger log = (Logger)c->log;
    if (log) log(c->environment, FMI(result), "logStatusError", text);
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }
API fmi3SetDebugLogging(fmi3Instance c, bool on, size_t n, const fmi3String names[]) {
    (void)n, (void)names;
    C->logging = on;
    return fmi3OK;
}
static fmi3Instance instantiate(fmi3String name, fmi3String token, int exchange, bool on, fmi3Environment e, Logger f) {
    if (!token || strcmp(token, TOKEN)) {
        if (f) f(e, fmi3Error, "logStatusError", "the instantiation token is not that of model " MODEL_NAME ".");
        return NULL;
    }
    return new_unit(name, exchange, on, e, (void *)f);
}
EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String path, bool visible,
                                                 bool on, fmi3Environment e, Logger f) {
    (void)path, (void)visible;
    return instantiate(name, token, 1, on, e, f);
}
EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String path, bool visible,
                                                bool on, bool events, bool early, const Reference between[],
                                                size_t n, fmi3Environment e, Logger f, Update update) {
    (void)path, (void)visible, (void)events, (void)early, (void)between, (void)n, (void)update;
    return instantiate(name, token, 0, on, e, f);
}
EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String path,
                                                      bool visible, bool on, fmi3Environment e, Logger f,
                                                      ClockUpdate update, Lock lock, Lock unlock) {
    (void)name, (void)token, (void)path, (void)visible, (void)on, (void)update, (void)lock, (void)unlock;
    if (f) f(e, fmi3Error, "logStatusError", "model " MODEL_NAME " has no scheduled execution.");
    return NULL;
}
EXPORT void fmi3FreeInstance(fmi3Instance c) {
    if (!c) return;
    F(free)(C->m);
    free(c);
}
API fmi3EnterInitializationMode(fmi3Instance c, bool has_tolerance, double tolerance, double t, bool has_stop,
                                double stop) {
    experiment(C, has_tolerance, tolerance, t, has_stop, stop);
    return fmi3OK;
}
API fmi3ExitInitializationMode(fmi3Instance c) { return FMI(initialized(C)); }
API fmi3EnterEventMode(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3Terminate(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3Reset(fmi3Instance c) { return reset_unit(C), fmi3OK; }

API fmi3GetFloat64(fmi3Instance c, const Reference vr[], size_t n, double values[], size_t count) {
    return count == n ? FMI(get_all(C, vr, n, values)) : UNSUPPORTED(c);
}
API fmi3SetFloat64(fmi3Instance c, const Reference vr[], size_t n, const double values[], size_t count) {
    return count == n ? FMI(set_all(C, vr, n, values)) : UNSUPPORTED(c);
}
#define NONE_OF(name, type)                                                                                \
    API fmi3Get##name(fmi3Instance c, const Reference vr[], size_t n, type values[], size_t count) {       \
        return (void)values, (void)count,                                                                  \
               n ? FMI(refuse(C, "it has no variables of type " #name, vr[0])) : fmi3OK;                   \
    }                                                                                                      \
    API fmi3Set##name(fmi3Instance c, const Reference vr[], size_t n, const type values[], size_t count) { \
        return (void)values, (void)count,                                                                  \
               n ? FMI(refuse(C, "it has no variables of type " #name, vr[0])) : fmi3OK;                   \
    }
NONE_OF(Float32, float)
NONE_OF(Int8, int8_t)
NONE_OF(UInt8, uint8_t)
NONE_OF(Int16, int16_t)
NONE_OF(UInt16, uint16_t)
NONE_OF(Int32, int32_t)
NONE_OF(UInt32, uint32_t)
NONE_OF(Int64, int64_t)
NONE_OF(UInt64, uint64_t)
NONE_OF(Boolean, bool)
NONE_OF(String, fmi3String)
API fmi3GetBinary(fmi3Instance c, const Reference vr[], size_t n, size_t sizes[], fmi3Binary values[], size_t count) {
    return (void)vr, (void)sizes, (void)values, (void)count, n ? UNSUPPORTED(c) : fmi3OK;
}
API fmi3SetBinary(fmi3Instance c, const Reference vr[], size_t n, const size_t sizes[], const fmi3Binary values[],
                  size_t count) {
    return (void)vr, (void)sizes, (void)values, (void)count, n ? UNSUPPORTED(c) : fmi3OK;
}
API fmi3GetClock(fmi3Instance c, const Reference vr[], size_t n, bool values[]) {
    return (void)vr, (void)values, n ? UNSUPPORTED(c) : fmi3OK;
}
API fmi3SetClock(fmi3Instance c, const Reference vr[], size_t n, const bool values[]) {
    return (void)vr, (void)values, n ? UNSUPPORTED(c) : fmi3OK;
}

API fmi3GetNumberOfVariableDependencies(fmi3Instance c, Reference vr, size_t *n) {
    return (void)vr, (void)n, UNSUPPORTED(c);
}
API fmi3GetVariableDependencies(fmi3Instance c, Reference vr, size_t elements[], Reference of[], size_t other[],
                                Dependency kinds[], size_t n) {
    return (void)vr, (void)elements, (void)of, (void)other, (void)kinds, (void)n, UNSUPPORTED(c);
}

API fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
    return (*state = save_state(C, *state)) ? fmi3OK : fmi3Error;
}
API fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) { return load_state(C, state), fmi3OK; }
API fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi3OK;
}
API fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size) {
    (void)c, (void)state;
    *size = state_size();
    return fmi3OK;
}
API fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, uint8_t bytes[], size_t size) {
    if (size < state_size()) return FMI(refuse(C, "the memory for a state is too small", 0));
    memcpy(bytes, state, state_size());
    return fmi3OK;
}
API fmi3DeserializeFMUState(fmi3Instance c, const uint8_t bytes[], size_t size, fmi3FMUState *state) {
    if (size != state_size()) return FMI(refuse(C, "the bytes are not a state of this model", 0));
    if (!*state) *state = malloc(size);
    if (!*state) return fmi3Error;
    memcpy(*state, bytes, size);
    return fmi3OK;
}
API fmi3GetDirectionalDerivative(fmi3Instance c, const Reference z[], size_t nz, const Reference x[], size_t nx,
                                 const double dx[], size_t ndx, double dz[], size_t ndz) {
    return nx == ndx && nz == ndz ? FMI(directional(C, z, nz, x, nx, dx, dz)) : UNSUPPORTED(c);
}
API fmi3GetAdjointDerivative(fmi3Instance c, const Reference z[], size_t nz, const Reference x[], size_t nx,
                             const double dz[], size_t ndz, double dx[], size_t ndx) {
    return (void)z, (void)nz, (void)x, (void)nx, (void)dz, (void)ndz, (void)dx, (void)ndx, UNSUPPORTED(c);
}
API fmi3EnterConfigurationMode(fmi3Instance c) { return UNSUPPORTED(c); }
API fmi3ExitConfigurationMode(fmi3Instance c) { return UNSUPPORTED(c); }
API fmi3GetIntervalDecimal(fmi3Instance c, const Reference vr[], size_t n, double x[], Qualifier q[]) {
    return (void)vr, (void)n, (void)x, (void)q, UNSUPPORTED(c);
}
API fmi3GetIntervalFraction(fmi3Instance c, const Reference vr[], size_t n, uint64_t a[], uint64_t b[], Qualifier q[]) {
    return (void)vr, (void)n, (void)a, (void)b, (void)q, UNSUPPORTED(c);
}
API fmi3GetShiftDecimal(fmi3Instance c, const Reference vr[], size_t n, double x[]) {
    return (void)vr, (void)n, (void)x, UNSUPPORTED(c);
}
API fmi3GetShiftFraction(fmi3Instance c, const Reference vr[], size_t n, uint64_t a[], uint64_t b[]) {
    return (void)vr, (void)n, (void)a, (void)b, UNSUPPORTED(c);
}
API fmi3SetIntervalDecimal(fmi3Instance c, const Reference vr[], size_t n, const double x[]) {
    return (void)vr, (void)n, (void)x, UNSUPPORTED(c);
}
API fmi3SetIntervalFraction(fmi3Instance c, const Reference vr[], size_t n, const uint64_t a[], const uint64_t b[]) {
    return (void)vr, (void)n, (void)a, (void)b, UNSUPPORTED(c);
}
API fmi3SetShiftDecimal(fmi3Instance c, const Reference vr[], size_t n, const double x[]) {
    return (void)vr, (void)n, (void)x, UNSUPPORTED(c);
}
API fmi3SetShiftFraction(fmi3Instance c, const Reference vr[], size_t n, const uint64_t a[], const uint64_t b[]) {
    return (void)vr, (void)n, (void)a, (void)b, UNSUPPORTED(c);
}
API fmi3EvaluateDiscreteStates(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3UpdateDiscreteStates(fmi3Instance c, bool *again, bool *stop, bool *nominals, bool *values, bool *defined,
                             double *time) {
    int moved = 0, result = handle_event(C, &moved);
    *again = *stop = *nominals = false;
    *values = moved != 0;
    *defined = C->exchange && C->event < INFINITY;
    *time = *defined ? C->event : 0.0;
    return FMI(result);
}

/* Model Exchange */
API fmi3EnterContinuousTimeMode(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3CompletedIntegratorStep(fmi3Instance c, bool no_set, bool *event, bool *stop) {
    int moved = 0, result = completed(C, &moved);
    (void)no_set;
    *event = moved != 0, *stop = false;
    return FMI(result);
}
API fmi3SetTime(fmi3Instance c, double t) {
    if (t != C->t) stale(C);
    C->t = t;
    return fmi3OK;
}
API fmi3SetContinuousStates(fmi3Instance c, const double x[], size_t n) {
    if (n != N_STATES) return FMI(refuse(C, "the number of states is another one", (unsigned)n));
    memcpy(C->y, x, 8 * n);
    stale(C);
    return fmi3OK;
}
API fmi3GetContinuousStateDerivatives(fmi3Instance c, double rates[], size_t n) {
    double first;
    if (n != N_STATES) return FMI(refuse(C, "the number of states is another one", (unsigned)n));
    int result = n ? get(C, VR_RATE, &first) : FINE;
    if (result == FINE) memcpy(rates, C->ydot, 8 * n);
    return FMI(result);
}
API fmi3GetEventIndicators(fmi3Instance c, double z[], size_t n) {
    return (void)z, n ? FMI(refuse(C, "there are no event indicators", 0)) : fmi3OK;
}
API fmi3GetContinuousStates(fmi3Instance c, double x[], size_t n) {
    if (n != N_STATES) return FMI(refuse(C, "the number of states is another one", (unsigned)n));
    memcpy(x, C->y, 8 * n);
    return fmi3OK;
}
API fmi3GetNominalsOfContinuousStates(fmi3Instance c, double x[], size_t n) {
    if (n != N_STATES) return FMI(refuse(C, "the number of states is another one", (unsigned)n));
    memcpy(x, NOMINALS, 8 * n);
    return fmi3OK;
}
API fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n) { return (void)c, *n = 0, fmi3OK; }
API fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n) { return (void)c, *n = N_STATES, fmi3OK; }

/* Co-Simulation */
API fmi3EnterStepMode(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3GetOutputDerivatives(fmi3Instance c, const Reference vr[], size_t n, const int32_t order[], double values[],
                             size_t count) {
    return (void)vr, (void)order, (void)values, (void)count, n ? UNSUPPORTED(c) : fmi3OK;
}
API fmi3DoStep(fmi3Instance c, double t, double h, bool no_set, bool *events, bool *stop, bool *early, double *last) {
    int result = do_step(C, t, h);
    (void)no_set;
    *events = *stop = *early = false;
    *last = C->t;
    return FMI(result);
}
API fmi3ActivateModelPartition(fmi3Instance c, Reference clock, double t) { return (void)clock, (void)t, UNSUPPORTED(c); }
