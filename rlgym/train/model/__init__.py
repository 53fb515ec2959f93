"""The policy network: decoder, packed attention, tokenizer, log-probabilities, and the folders a model or a checkpoint is saved in."""
