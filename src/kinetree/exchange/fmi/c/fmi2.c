/* Functions of FMI 2.0 [FMI2], written from the standard. */
typedef void *fmi2Component, *fmi2FMUstate;
typedef unsigned int Reference;
typedef int fmi2Boolean, fmi2Integer;
typedef double fmi2Real;
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } Kind;
typedef void (*Logger)(void *, fmi2String, Status, fmi2String, fmi2String, ...);
typedef struct {
    Logger logger;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, Status);
    void *environment;
} Callbacks;
typedef struct {
    fmi2Boolean needed, terminate, nominals, values, defined;
    fmi2Real time;
} EventInfo;

#define C ((Unit *)c)
#define API EXPORT Status
#define FMI(result) ((result) == FINE ? fmi2OK : (result) == DISCARD ? fmi2Discard : fmi2Error)

static void report(Unit *c, int result, const char *text) {
    Logger log = (Logger)c->log;
    if (log) log(c->environment, c->name, FMI(result), "logStatusError", "%s", text);
}

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }
API fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[]) {
    (void)n, (void)names;
    C->logging = on;
    return fmi2OK;
}
EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const Callbacks *f, fmi2Boolean visible, fmi2Boolean on) {
    (void)resources, (void)visible;
    if (!guid || strcmp(guid, TOKEN)) {
        if (f && f->logger)
            f->logger(f->environment, name, fmi2Error, "logStatusError", "%s",
                      "the guid is not that of model " MODEL_NAME ".");
        return NULL;
    }
    return new_unit(name, type == fmi2ModelExchange, on, f ? f->environment : NULL, f ? (void *)f->logger : NULL);
}
EXPORT void fmi2FreeInstance(fmi2Component c) {
    if (!c) return;
    F(free)(C->m);
    free(c);
}
API fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real t,
                        fmi2Boolean has_stop, fmi2Real stop) {
    experiment(C, has_tolerance, tolerance, t, has_stop, stop);
    return fmi2OK;
}
API fmi2EnterInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
API fmi2ExitInitializationMode(fmi2Component c) { return FMI(initialized(C)); }
API fmi2Terminate(fmi2Component c) { return (void)c, fmi2OK; }
API fmi2Reset(fmi2Component c) { return reset_unit(C), fmi2OK; }

API fmi2GetReal(fmi2Component c, const Reference vr[], size_t n, fmi2Real values[]) {
    return FMI(get_all(C, vr, n, values));
}
API fmi2SetReal(fmi2Component c, const Reference vr[], size_t n, const fmi2Real values[]) {
    return FMI(set_all(C, vr, n, values));
}
#define NONE_OF(name, type)                                                                        \
    API fmi2Get##name(fmi2Component c, const Reference vr[], size_t n, type values[]) {            \
        return (void)values, n ? FMI(refuse(C, "it has no variables of type " #name, vr[0])) : fmi2OK; \
    }                                                                                              \
    API fmi2Set##name(fmi2Component c, const Reference vr[], size_t n, const type values[]) {      \
        return (void)values, n ? FMI(refuse(C, "it has no variables of type " #name, vr[0])) : fmi2OK; \
    }
NONE_OF(Integer, fmi2Integer)
NONE_OF(Boolean, fmi2Boolean)
NONE_OF(String, fmi2String)

API fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    return (*state = save_state(C, *state)) ? fmi2OK : fmi2Error;
}
API fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) { return load_state(C, state), fmi2OK; }
API fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}
API fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)c, (void)state;
    *size = state_size();
    return fmi2OK;
}
API fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    if (size < state_size()) return FMI(refuse(C, "the memory for a state is too small", 0));
    memcpy(bytes, state, state_size());
    return fmi2OK;
}
API fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    if (size != state_size()) return FMI(refuse(C, "the bytes are not a state of this model", 0));
    if (!*state) *state = malloc(size);
    if (!*state) return fmi2Error;
    memcpy(*state, bytes, size);
    return fmi2OK;
}
API fmi2GetDirectionalDerivative(fmi2Component c, const Reference z[], size_t nz, const Reference x[], size_t nx,
                                 const fmi2Real dx[], fmi2Real dz[]) {
    return FMI(directional(C, z, nz, x, nx, dx, dz));
}

/* Model Exchange */
API fmi2EnterEventMode(fmi2Component c) { return (void)c, fmi2OK; }
API fmi2NewDiscreteStates(fmi2Component c, EventInfo *info) {
    int moved = 0, result = handle_event(C, &moved);
    memset(info, 0, sizeof *info);
    info->values = moved;
    info->defined = C->event < INFINITY;
    info->time = info->defined ? C->event : 0.0;
    return FMI(result);
}
API fmi2EnterContinuousTimeMode(fmi2Component c) { return (void)c, fmi2OK; }
API fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_set, fmi2Boolean *event, fmi2Boolean *stop) {
    (void)no_set;
    *stop = 0;
    return FMI(completed(C, event));
}
API fmi2SetTime(fmi2Component c, fmi2Real t) {
    if (t != C->t) stale(C);
    C->t = t;
    return fmi2OK;
}
API fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
    if (n != N_STATES) return FMI(refuse(C, "the number of states is another one", (unsigned)n));
    memcpy(C->y, x, 8 * n);
    stale(C);
    return fmi2OK;
}
API fmi2GetDerivatives(fmi2Component c, fmi2Real rates[], size_t n) {
    double first;
    int result = n == N_STATES ? (n ? get(C, VR_RATE, &first) : FINE) : refuse(C, "the number of states is another one", (unsigned)n);
    if (result == FINE) memcpy(rates, C->ydot, 8 * n);
    return FMI(result);
}
API fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) {
    return (void)z, n ? FMI(refuse(C, "there are no event indicators", 0)) : fmi2OK;
}
API fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
    if (n != N_STATES) return FMI(refuse(C, "the number of states is another one", (unsigned)n));
    memcpy(x, C->y, 8 * n);
    return fmi2OK;
}
API fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
    if (n != N_STATES) return FMI(refuse(C, "the number of states is another one", (unsigned)n));
    memcpy(x, NOMINALS, 8 * n);
    return fmi2OK;
}

/* Co-Simulation */
API fmi2SetRealInputDerivatives(fmi2Component c, const Reference vr[], size_t n, const fmi2Integer order[],
                                const fmi2Real values[]) {
    for (size_t k = 0; k < n; k++) {
        if (order[k] != 1 || vr[k] < VR_INPUT || vr[k] >= VR_SLOPE)
            return FMI(refuse(C, "inputs have a first derivative only", vr[k]));
        int result = set(C, vr[k] + (VR_SLOPE - VR_INPUT), values[k]);
        if (result != FINE) return FMI(result);
    }
    return fmi2OK;
}
API fmi2GetRealOutputDerivatives(fmi2Component c, const Reference vr[], size_t n, const fmi2Integer order[],
                                 fmi2Real values[]) {
    (void)order, (void)values;
    return n ? FMI(refuse(C, "derivatives of outputs are not known", vr[0])) : fmi2OK;
}
API fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set) {
    (void)no_set;
    return FMI(do_step(C, t, h));
}
API fmi2CancelStep(fmi2Component c) { return FMI(refuse(C, "no step is pending", 0)); }
API fmi2GetStatus(fmi2Component c, const Kind kind, Status *value) { return (void)c, (void)kind, (void)value, fmi2Discard; }
API fmi2GetRealStatus(fmi2Component c, const Kind kind, fmi2Real *value) {
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = C->t;
    return fmi2OK;
}
API fmi2GetIntegerStatus(fmi2Component c, const Kind kind, fmi2Integer *value) { return (void)c, (void)kind, (void)value, fmi2Discard; }
API fmi2GetBooleanStatus(fmi2Component c, const Kind kind, fmi2Boolean *value) {
    (void)c;
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = 0;
    return fmi2OK;
}
API fmi2GetStringStatus(fmi2Component c, const Kind kind, fmi2String *value) { return (void)c, (void)kind, (void)value, fmi2Discard; }
