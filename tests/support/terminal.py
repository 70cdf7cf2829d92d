"""Runs a command on a terminal of its own and types: terminal.py '[["expected", ["key", …]], …]' command …

Each key waits for the screen to answer the one before it.
"""
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

answers = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    # Before the program looks: a terminal without a size shows one letter a line.
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
heard, seen, keys = b"", 0, []
deadline = time.monotonic() + 240
while True:
    if time.monotonic() > deadline:
        os.kill(pid, signal.SIGKILL)
        break
    ready, _, _ = select.select([terminal], [], [], 1)
    if not ready:
        continue
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if part == b"":
        break
    heard += part
    if not keys and answers and answers[0][0].encode() in heard[seen:]:
        keys = answers.pop(0)[1]
        seen = len(heard)
    if keys:
        os.write(terminal, keys.pop(0).encode())
sys.stdout.buffer.write(heard)
sys.stdout.flush()
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
