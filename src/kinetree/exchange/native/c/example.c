/* Runs the model @NAME@ for @UNTIL@ s and prints its outputs. */
#include <stdio.h>
#include "@P@.h"

int main(void) {
    double values[@P@_OUTPUTS + 1];
    @P@ *m = @P@_new();
    if (!m) return 1;
    printf("t");
    for (int k = 0; k < @P@_OUTPUTS; k++) printf(",%s", @P@_output_names[k]);
    printf("\n");
    for (int step = 0; step <= 100; step++) {
        double t = @T0@ + step * @STEP@;
        int status = @P@_advance(m, t);
        if (!status) status = @P@_outputs(m, values);
        if (status) {
            fprintf(stderr, "t = %g s: %s\n", @P@_time(m), @P@_message(status));
            return 1;
        }
        printf("%.17g", t);
        for (int k = 0; k < @P@_OUTPUTS; k++) printf(",%.17g", values[k]);
        printf("\n");
    }
    @P@_free(m);
    return 0;
}
