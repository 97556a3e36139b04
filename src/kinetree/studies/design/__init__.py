"""Design: optimization, identification, synthesis of linkages, tolerances."""
