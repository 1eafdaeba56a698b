"""Methods that project data onto the directions that matter most."""
