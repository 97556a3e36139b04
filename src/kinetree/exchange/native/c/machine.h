/* Interface of the exported model @NAME@ (Kinetree @VERSION@).

   An instance is one piece of memory without pointers to other memory. Instances are independent of
   each other; one thread at a time may use an instance. All numbers are in SI units. Functions that
   return int return 0, or a status that @P@_message() explains. Nothing but @P@_new allocates memory. */
#ifndef @P@_H
#define @P@_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct @P@ @P@;

enum {
    @P@_STATES = @STATES@, /* number of states: coordinates, velocities, states of elements */
    @P@_INPUTS = @INPUTS@,
    @P@_OUTPUTS = @OUTPUTS@,
    @P@_PARAMETERS = @PARAMETERS@,
    @P@_MORE = 100 /* status: the budget of steps is used up, call again */
};
extern const char *const @P@_state_names[], *const @P@_input_names[], *const @P@_output_names[],
    *const @P@_parameter_names[];
@LISTS@
size_t @P@_bytes(void);               /* size of an instance; its memory must be aligned to 64 bytes */
@P@ *@P@_place(void *memory);         /* an instance at the initial state, in memory of yours */
@P@ *@P@_new(void);                   /* the same in memory of malloc, or NULL */
void @P@_free(@P@ *m);                /* of @P@_new */
void @P@_reset(@P@ *m);               /* the initial state, inputs and parameters */

/* Advance to the time t (s). The integrator chooses its steps; the state at t is interpolated. */
int @P@_advance(@P@ *m, double t);
/* The same with at most so many steps; returns @P@_MORE if t is not reached. For real-time use with a
   method of fixed steps: the time of a step is almost constant. */
int @P@_step(@P@ *m, double t, long most);
/* The same, but the last step ends at t: the result of kt.simulate(until=t) to the last bit, if the
   run began at the initial state. */
int @P@_advance_exactly(@P@ *m, double t);

double @P@_time(const @P@ *m);
const double *@P@_state(const @P@ *m);
/* Set the time and the state; `settle` not 0: the state is moved onto the constraints. */
int @P@_set_state(@P@ *m, double t, const double *y, int settle);
/* An input is value + slope (t - now): a ramp between two calls is exact. */
int @P@_set_input(@P@ *m, int k, double value, double slope);
double @P@_input(const @P@ *m, int k, double *slope);
/* A parameter takes effect in all that follows; set it before the first step, or at any time. */
int @P@_set_parameter(@P@ *m, int k, double value);
double @P@_parameter(const @P@ *m, int k);
/* All outputs at the present time and state. */
int @P@_outputs(@P@ *m, double *values);

/* For programs that integrate themselves: rates of a state, and outputs there, without side effects
   on the run. The state is that of @P@_set_state or another one near the constraints. */
int @P@_rates(@P@ *m, double t, const double *y, double *ydot);
int @P@_outputs_at(@P@ *m, double t, const double *y, double *values);
int @P@_settle(@P@ *m, double t, double *y); /* move a state onto the constraints, in place */

void @P@_save(const @P@ *m, void *memory); /* the whole state of the run: @P@_bytes() bytes */
void @P@_load(@P@ *m, const void *memory); /* of this or of another instance or process */
const char *@P@_message(int status);
long @P@_steps(const @P@ *m);
long @P@_evaluations(const @P@ *m);

#ifdef __cplusplus
}
#endif
#endif
