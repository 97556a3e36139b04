"""FMUs: models for Simulink, Modelica tools and test benches (Functional Mock-up Interface 2 and 3)."""
