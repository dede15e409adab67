"""What Python tools need on a machine that other programs use too: patience, and a port that stays free."""

import random
import socket
import time

# In seconds, for each step. It ends what hangs, and decides no result: a busy machine may take long.
PATIENCE = 180


def wait_for(condition, failure, pause=0.02):
    """Polls until the condition holds, and returns what it gives. The failure may be a function that makes the text."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, failure() if callable(failure) else failure
        time.sleep(pause)
    return found


def free_port():
    """A port below those that the system gives to connections, so that none of them takes it before a server does."""
    while True:
        try:
            with socket.create_server(("127.0.0.1", random.randrange(10_000, 15_000))) as server:
                return server.getsockname()[1]
        except OSError:
            continue
