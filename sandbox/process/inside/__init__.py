"""Code that runs on the untrusted side. The library's own process imports only `values`. Standard library only."""
