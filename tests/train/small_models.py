"""Small models for the tests of training."""

from rlgym.train.model.pretrained import make_model, save_model
from rlgym.train.model.tokenizer import make_tokenizer


def small_model(folder, *, num_layers=2, hidden_size=64, max_seq_len=256, seed=3, loud=4.0, **more):
    """A model with its tokenizer in a folder; `loud` spreads its weights, so that its choices differ from each other."""
    import torch

    make_tokenizer(folder)
    model = make_model(folder, num_layers=num_layers, hidden_size=hidden_size, max_seq_len=max_seq_len, seed=seed, **more)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() == 2:
                weight.mul_(loud)
    save_model(model, folder)
    return model


def policy_and_judge(folder, max_seq_len=300):
    """The folder with a policy, and a judge of another size and with other weights."""
    small_model(folder / "policy", max_seq_len=max_seq_len, loud=1.0)
    small_model(folder / "judge", num_layers=1, hidden_size=48, max_seq_len=900, seed=7, loud=2.0)
    return folder


def by_hand(model, sequence, temperature=1.0):
    """Log-probability of each token but the first, by one plain forward pass of the whole sequence."""
    import torch

    from rlgym.train.model.packing import pack

    with torch.no_grad():
        packed = pack([sequence])
        logits = model.logits(model(packed.tokens_T, packed.positions_T, packed.attention)) / temperature
        return torch.log_softmax(logits, -1)[:-1].gather(1, packed.tokens_T[1:, None]).squeeze(1)


VOCABULARY = 262
"""Tokens of the tokenizer of `small_model`."""


def transformers_config(kind):
    """The configuration of a tiny model that the native decoder does not support."""
    import transformers

    if kind == "gemma3":
        return transformers.Gemma3TextConfig(
            vocab_size=VOCABULARY,
            hidden_size=48,
            intermediate_size=96,
            num_hidden_layers=3,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=24,
            max_position_embeddings=512,
            sliding_window=16,
            layer_types=["sliding_attention", "sliding_attention", "full_attention"],
            final_logit_softcapping=2.0,
            query_pre_attn_scalar=24,
        )
    if kind == "qwen3_moe":
        return transformers.Qwen3MoeConfig(
            vocab_size=VOCABULARY,
            hidden_size=48,
            intermediate_size=96,
            moe_intermediate_size=32,
            num_experts=4,
            num_experts_per_tok=2,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=24,
            max_position_embeddings=512,
        )
    if kind == "qwen2_moe":
        return transformers.Qwen2MoeConfig(
            vocab_size=VOCABULARY,
            hidden_size=48,
            intermediate_size=96,
            moe_intermediate_size=32,
            shared_expert_intermediate_size=32,
            num_experts=4,
            num_experts_per_tok=2,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            max_position_embeddings=512,
        )
    if kind == "qwen3_next":
        return transformers.Qwen3NextConfig(
            vocab_size=VOCABULARY,
            hidden_size=48,
            intermediate_size=96,
            moe_intermediate_size=16,
            shared_expert_intermediate_size=16,
            num_experts=4,
            num_experts_per_tok=2,
            num_hidden_layers=4,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=24,
            linear_num_key_heads=2,
            linear_num_value_heads=2,
            linear_key_head_dim=16,
            linear_value_head_dim=16,
            max_position_embeddings=512,
        )
    if kind == "mamba":
        return transformers.MambaConfig(vocab_size=VOCABULARY, hidden_size=48, num_hidden_layers=1, state_size=8)
    if kind == "phi":
        return transformers.PhiConfig(
            vocab_size=VOCABULARY,
            hidden_size=48,
            intermediate_size=96,
            num_hidden_layers=2,
            num_attention_heads=2,
            max_position_embeddings=512,
            embd_pdrop=0.1,
            resid_pdrop=0.1,
        )
    return transformers.GPT2Config(vocab_size=VOCABULARY, n_embd=48, n_layer=2, n_head=2, n_positions=512)


def transformers_folder(folder, kind, seed=3, loud=4.0):
    """A tiny random model of transformers with its tokenizer in a folder; `loud` spreads its weights."""
    import torch
    import transformers

    make_tokenizer(folder)
    torch.manual_seed(seed)
    model = transformers.AutoModelForCausalLM.from_config(transformers_config(kind))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() >= 2:
                weight.mul_(loud)
            elif name.endswith("lm_head.bias"):
                weight.normal_()
    model.save_pretrained(folder)
    return model
