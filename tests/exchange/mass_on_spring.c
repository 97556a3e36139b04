/* A mass that a spring and a damper pull towards its input: FMI 2.0 (VERSION = 2) or 3.0.

   x' = v,  m v' = k (u - x) + d (w - v),  force = -(k (u - x) + d (w - v)) on whoever moves u.
   References: 0 x, 1 v, 2 x', 3 v', 4 u, 5 w, 6 force, 7 k, 8 d, 9 m. Co-Simulation: Runge-Kutta. */
#include <stdlib.h>
#include <string.h>
typedef struct { double value[10]; } Mass;
static void evaluate(Mass *s) {
    double *a = s->value, pull = a[7] * (a[4] - a[0]) + a[8] * (a[5] - a[1]);
    a[2] = a[1]; a[3] = pull / a[9]; a[6] = -pull;
}
static void *make(const char *token) {
    if (strcmp(token, "{mass}")) return NULL;
    Mass *s = calloc(1, sizeof(Mass));
    s->value[0] = 0.3; s->value[7] = 20.0; s->value[8] = 0.3; s->value[9] = 2.0;
    return s;
}
static int set(Mass *s, const unsigned *r, size_t n, const double *v) {
    for (size_t i = 0; i < n; i++) { if (r[i] > 9) return 3; s->value[r[i]] = v[i]; }
    return 0;
}
static int get(Mass *s, const unsigned *r, size_t n, double *v) {
    evaluate(s);
    for (size_t i = 0; i < n; i++) { if (r[i] > 9) return 3; v[i] = s->value[r[i]]; }
    return 0;
}
static int step(Mass *s, double h) {
    for (int part = 0; part < 20; part++) {
        double *a = s->value, x[2] = {a[0], a[1]}, k[4][2], c[3] = {0.5, 0.5, 1.0};
        for (int i = 0; i < 4; i++) {
            if (i) for (int j = 0; j < 2; j++) a[j] = x[j] + h / 20 * c[i - 1] * k[i - 1][j];
            evaluate(s);
            k[i][0] = a[2]; k[i][1] = a[3];
        }
        for (int j = 0; j < 2; j++)
            a[j] = x[j] + h / 120 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    return 0;
}
#if VERSION == 2
void *fmi2Instantiate(const char *n, int k, const char *g, const char *r, const void *c, int v, int l) { return make(g); }
void fmi2FreeInstance(void *s) { free(s); }
int fmi2SetupExperiment(void *s, int a, double b, double c, int d, double e) { return 0; }
int fmi2EnterInitializationMode(void *s) { return 0; }
int fmi2ExitInitializationMode(void *s) { return 0; }
int fmi2NewDiscreteStates(void *s, int *info) { memset(info, 0, 20); return 0; }
int fmi2EnterContinuousTimeMode(void *s) { return 0; }
int fmi2SetTime(void *s, double t) { return t < 0 ? 3 : 0; }
int fmi2SetReal(void *s, const unsigned *r, size_t n, const double *v) { return set(s, r, n, v); }
int fmi2GetReal(void *s, const unsigned *r, size_t n, double *v) { return get(s, r, n, v); }
int fmi2SetContinuousStates(void *s, const double *x, size_t n) { memcpy(s, x, n * 8); return 0; }
int fmi2GetContinuousStates(void *s, double *x, size_t n) { memcpy(x, s, n * 8); return 0; }
int fmi2GetDerivatives(void *s, double *x, size_t n) { evaluate(s); memcpy(x, (double *)s + 2, n * 8); return 0; }
int fmi2DoStep(void *s, double t, double h, int p) { return step(s, h); }
#else
#include <stdbool.h>
void *fmi3InstantiateModelExchange(const char *n, const char *g, const char *r, bool v, bool l, void *e, void *f) { return make(g); }
void *fmi3InstantiateCoSimulation(const char *n, const char *g, const char *r, bool v, bool l, bool ev, bool ea, const unsigned *q, size_t m, void *e, void *f, void *i) { return make(g); }
void fmi3FreeInstance(void *s) { free(s); }
int fmi3EnterInitializationMode(void *s, bool a, double b, double c, bool d, double e) { return 0; }
int fmi3ExitInitializationMode(void *s) { return 0; }
int fmi3UpdateDiscreteStates(void *s, bool *a, bool *b, bool *c, bool *d, bool *e, double *t) { *a = *b = *c = *d = *e = false; return 0; }
int fmi3EnterContinuousTimeMode(void *s) { return 0; }
int fmi3SetTime(void *s, double t) { return t < 0 ? 3 : 0; }
int fmi3SetFloat64(void *s, const unsigned *r, size_t n, const double *v, size_t m) { return n != m ? 3 : set(s, r, n, v); }
int fmi3GetFloat64(void *s, const unsigned *r, size_t n, double *v, size_t m) { return n != m ? 3 : get(s, r, n, v); }
int fmi3SetContinuousStates(void *s, const double *x, size_t n) { memcpy(s, x, n * 8); return 0; }
int fmi3GetContinuousStates(void *s, double *x, size_t n) { memcpy(x, s, n * 8); return 0; }
int fmi3GetContinuousStateDerivatives(void *s, double *x, size_t n) { evaluate(s); memcpy(x, (double *)s + 2, n * 8); return 0; }
int fmi3DoStep(void *s, double t, double h, bool p, bool *a, bool *b, bool *c, double *last) { *a = *b = *c = false; *last = t + h; return step(s, h); }
#endif
