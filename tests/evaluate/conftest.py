"""A small model in a folder, for the tests of local models."""

import asyncio

import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from train.small_models import small_model

    place = tmp_path_factory.mktemp("model")
    small_model(place)
    return place


@pytest.fixture(scope="module")
def model(folder):
    from rlgym.evaluate.models.transformers_model import TransformersModel

    model_ = TransformersModel(folder, batch_size=8, batch_window_seconds=0.3)
    yield model_
    asyncio.run(model_.close())


@pytest.fixture(scope="module")
def tokenizer(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)
