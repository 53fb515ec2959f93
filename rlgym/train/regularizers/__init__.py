"""Terms added to a loss: KL divergence from a reference policy and an entropy bonus; and when to reset the reference."""
