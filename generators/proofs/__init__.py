"""Proof kernels: small checkers that accept every valid proof and nothing else, and searches that find proofs."""
