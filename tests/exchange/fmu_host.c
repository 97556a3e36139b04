/* A program without Python that runs the Co-Simulation of an FMU: host VERSION LIBRARY TOKEN STOP STEPS
   INPUT SLOPE OUTPUT... (value references; no input: 0). It opens the library with RTLD_NOW, so that a
   symbol that is missing would end it, and prints the outputs at every communication point. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *Any;
typedef struct { Any logger, allocate, release, finished, environment; } Callbacks;
static void log_2(Any e, const char *name, int status, const char *category, const char *text, ...) {
    (void)e, (void)category, fprintf(stderr, "%s: %d: %s\n", name, status, text);
}
static void log_3(Any e, int status, const char *category, const char *text) {
    (void)e, (void)category, fprintf(stderr, "%d: %s\n", status, text);
}
static Any library;
static Any find(const char *prefix, const char *name) {
    char full[64];
    snprintf(full, sizeof full, "%s%s", prefix, name);
    Any found = dlsym(library, full);
    if (!found) fprintf(stderr, "there is no %s\n", full), exit(2);
    return found;
}
#define F2(name, result, ...) ((result(*)(__VA_ARGS__))find("fmi2", name))
#define F3(name, result, ...) ((result(*)(__VA_ARGS__))find("fmi3", name))
static void check(int status, const char *what) {
    if (status) fprintf(stderr, "%s: status %d\n", what, status), exit(3);
}

int main(int count, char **given) {
    if (count < 8) return 1;
    int version = atoi(given[1]), steps = atoi(given[5]), n = count - 8;
    double stop = atof(given[4]), h = stop / steps, slope = atof(given[7]), values[64];
    const char *token = given[3];
    unsigned input = (unsigned)atoi(given[6]), outputs[64];
    if (n > 64) return 1;
    for (int k = 0; k < n; k++) outputs[k] = (unsigned)atoi(given[8 + k]);
    library = dlopen(given[2], RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    Callbacks calls = {(Any)log_2, (Any)calloc, (Any)free, NULL, NULL};
    Any c = version == 2
        ? F2("Instantiate", Any, const char *, int, const char *, const char *, Callbacks *, int, int)(
              "host", 1, token, "", &calls, 0, 0)
        : F3("InstantiateCoSimulation", Any, const char *, const char *, const char *, bool, bool, bool, bool,
             const unsigned *, size_t, Any, Any, Any)("host", token, "", 0, 0, 0, 0, NULL, 0, NULL, (Any)log_3, NULL);
    if (!c) return 1;
    if (version == 2) {
        check(F2("SetupExperiment", int, Any, int, double, double, int, double)(c, 0, 0.0, 0.0, 1, stop), "setup");
        check(F2("EnterInitializationMode", int, Any)(c), "enter");
        check(F2("ExitInitializationMode", int, Any)(c), "exit");
    } else {
        check(F3("EnterInitializationMode", int, Any, bool, double, double, bool, double)(c, 0, 0.0, 0.0, 1, stop),
              "enter");
        check(F3("ExitInitializationMode", int, Any)(c), "exit");
    }
    for (int k = 0; k <= steps; k++) {
        double t = k * h, u = slope * t;
        if (k && version == 2)
            check(F2("DoStep", int, Any, double, double, int)(c, t - h, h, 1), "step");
        else if (k) {
            bool event, end, early;
            double last;
            check(F3("DoStep", int, Any, double, double, bool, bool *, bool *, bool *, double *)(
                      c, t - h, h, 1, &event, &end, &early, &last), "step");
        }
        if (input && version == 2) {
            int one = 1;
            check(F2("SetReal", int, Any, unsigned *, size_t, double *)(c, &input, 1, &u), "input");
            check(F2("SetRealInputDerivatives", int, Any, unsigned *, size_t, int *, double *)(c, &input, 1, &one, &slope),
                  "slope");
        } else if (input) {
            unsigned both[2] = {input, input + 100000}; /* the reference of <input>.slope */
            double line[2] = {u, slope};
            check(F3("SetFloat64", int, Any, unsigned *, size_t, double *, size_t)(c, both, 2, line, 2), "input");
        }
        if (version == 2)
            check(F2("GetReal", int, Any, unsigned *, size_t, double *)(c, outputs, (size_t)n, values), "get");
        else
            check(F3("GetFloat64", int, Any, unsigned *, size_t, double *, size_t)(c, outputs, (size_t)n, values,
                                                                                    (size_t)n), "get");
        printf("%.17g", t);
        for (int i = 0; i < n; i++) printf(",%.17g", values[i]);
        printf("\n");
    }
    if (version == 2) {
        check(F2("Terminate", int, Any)(c), "terminate");
        F2("FreeInstance", void, Any)(c);
    } else {
        check(F3("Terminate", int, Any)(c), "terminate");
        F3("FreeInstance", void, Any)(c);
    }
    return 0;
}
