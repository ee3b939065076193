"""루프의 한 줄을 망가뜨려 보는 연습: bareloop break 와 같습니다.

목록을 보고, 예측하고, 온전한 루프와 망가진 루프를 나란히 돌려 보고, 왜 그런지 설명하고, 고칩니다.
키도 네트워크도 필요 없습니다.

The exercises of the course, the same as the command bareloop break. Try also:
    python code/break_a_line.py 5
    python code/break_a_line.py 5 --hint
    python code/break_a_line.py 5 --edit
"""

import sys

from agent.cli import main

if __name__ == "__main__":
    sys.exit(main(["break", *sys.argv[1:]]))
