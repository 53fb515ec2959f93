"""Rollout engines: our own, vLLM in this process, and vLLM servers, all behind one interface."""
