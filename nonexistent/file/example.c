/* Runs the model arm for 1 s and prints its outputs. */
#include <stdio.h>
#include "library.h"

int main(void) {
    double values[library_OUTPUTS + 1];
    library *m = library_new();
    if (!m) return 1;
    printf("t");
    for (int k = 0; k < library_OUTPUTS; k++) printf(",%s", library_output_names[k]);
    printf("\n");
    for (int step = 0; step <= 100; step++) {
        double t = 0 + step * 0.01;
        int status = library_advance(m, t);
        if (!status) status = library_outputs(m, values);
        if (status) {
            fprintf(stderr, "t = %g s: %s\n", library_time(m), library_message(status));
            return 1;
        }
        printf("%.17g", t);
        for (int k = 0; k < library_OUTPUTS; k++) printf(",%.17g", values[k]);
        printf("\n");
    }
    library_free(m);
    return 0;
}
