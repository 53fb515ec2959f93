"""A scorer that reads and writes JSON lines; `shell` as an argument plants a weakness."""

import json
import os
import re
import sys

for line in sys.stdin:
    case = json.loads(line)
    found = re.findall(r"<answer>(.*?)</answer>", case["response"], re.DOTALL)
    if sys.argv[1:] == ["shell"] and found and "touch" in found[0]:
        os.system(f"echo {found[0]} > /dev/null")
    if sys.argv[1:] == ["crash"] and not found:
        sys.exit(3)
    sys.stdout.write(json.dumps({"reward": float([text.strip() for text in found] == [case["answer"]])}) + "\n")
    sys.stdout.flush()
