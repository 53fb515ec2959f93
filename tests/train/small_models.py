"""Small models for the tests of training."""

from rlgym.train.model import make_model, save_model
from rlgym.train.tokenizer import make_tokenizer


def small_model(folder, *, layers=2, width=64, context=256, seed=3, loud=4.0, **more):
    """A model with its tokenizer in a folder; `loud` spreads its weights, so that its choices differ from each other."""
    import torch

    make_tokenizer(folder)
    model = make_model(folder, layers=layers, width=width, context=context, seed=seed, **more)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() == 2:
                weight.mul_(loud)
    save_model(model, folder)
    return model


def by_hand(model, sequence, temperature=1.0):
    """Log-probability of each token but the first, by one plain forward pass of the whole sequence."""
    import torch

    from rlgym.train.packing import pack

    with torch.no_grad():
        packed = pack([sequence])
        logits = model.logits(model(packed.tokens_T, packed.positions_T, packed.attention)) / temperature
        return torch.log_softmax(logits, -1)[:-1].gather(1, packed.tokens_T[1:, None]).squeeze(1)
