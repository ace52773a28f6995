"""Finds the models that crash the loader only with a setting of the server, which no file names."""

from shapes import Quantities

# ggml rotates the keys of a quantised cache in blocks of 64 numbers (llama.cpp v0.5.0; widths 32, 64, 96, 128, 192 and
# 256 of 108 architectures). A width that is not a multiple of 32 is refused.
BLOCK, REFUSED = 64, 32


def lines(runner, options, models):
    """The condition of the cache, if all models of such a width crash, and run without the setting."""
    odd = [model for model in models if Quantities(model).width("attention.key_length") % BLOCK == REFUSED]
    outcomes = {(plain["outcome"], small["outcome"], small["stage"])
                for plain, small in ((runner.ask_model(model, options), runner.ask_model(model, options + ",small-keys"))
                                     for model in odd)}
    return ["condition cache-width crashes shift"] if outcomes == {("ran", "died", "shift")} else []
