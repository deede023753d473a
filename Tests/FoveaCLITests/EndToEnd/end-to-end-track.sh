#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tries `fovea track` of the built program against what a test process cannot do to itself: signals, closed pipes,
# full disks, folders without rights, streams that fall silent. Run by hand:
#
#   Tests/FoveaCLITests/EndToEnd/end-to-end-track.sh .build/release/fovea VIDEO.mp4
#
# Needs LiteRT (make setup), FFmpeg's libraries and python3; the video should have 500 frames or more. For the folder
# without rights and the full disk it needs root, else they are left out.
set -u
fovea=$(realpath "${1:?the program}")
video=$(realpath "${2:?a video}")
clips=$(realpath "$(dirname "$0")/../../Fixtures/video")
work=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill $server 2>/dev/null; umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

check() { # NAME, then a command that must succeed
  local name=$1
  shift
  if "$@"; then echo "ok    $name"; else
    echo "FAIL  $name"
    failures=$((failures + 1))
  fi
}
equal() { [ "$1" = "$2" ] || { echo "      got '$1', expected '$2'"; false; }; }
whole_lines() { # FILE: at least one line, every one a JSON object
  python3 -c 'import json,sys
text = open(sys.argv[1], encoding="utf-8").read()
assert text.endswith("\n"), "there is nothing, or the last line is torn"
for line in text.splitlines(): json.loads(line)' "$1"
}
# Frames are counted by following boxes of which there are none: no model runs.
: >none.txt
frames() { "$fovea" track "$1" --detections none.txt --format jsonl -q 2>/dev/null | wc -l; }

for signal in INT TERM; do
  "$fovea" track "$video" --annotate $signal.mp4 --output $signal.jsonl 2>err & pid=$!
  sleep 4
  kill -$signal $pid; wait $pid; code=$?
  check "SIG$signal ends with 130" equal $code 130
  check "SIG$signal leaves whole lines" whole_lines $signal.jsonl
  check "SIG$signal leaves a video with as many frames" equal "$(frames $signal.mp4)" "$(wc -l <$signal.jsonl)"
  check "SIG$signal leaves no half file" equal "$(ls ./*.partial 2>/dev/null)" ""
  check "SIG$signal is followed by the summary" grep -q "frames/s" err
done

"$fovea" track "$video" --format jsonl -q | head -1 >first; status=("${PIPESTATUS[@]}")
check "a closed pipe ends quietly" equal "${status[0]}" 0
check "the reader got a whole line" whole_lines first
"$fovea" track "$video" --detections none.txt --format jsonl -q >/dev/full 2>err; code=$?
check "a full standard output is exit 1" equal $code 1
check "it says why" grep -q "No space left on device" err
(ulimit -f 16; "$fovea" track "$video" --detections none.txt --output limited.jsonl -q 2>err); code=$?
check "a file size limit is exit 1" equal $code 1
check "it leaves whole lines" whole_lines limited.jsonl
(ulimit -f 16; "$fovea" track "$video" --detections none.txt --annotate limited.mkv --output l.jsonl -q 2>err); code=$?
check "a file size limit of the video is exit 1" equal $code 1
check "it names the video" grep -q "limited.mkv" err
check "the lines are whole" whole_lines l.jsonl

"$fovea" track - --detections none.txt --format jsonl -q <"$clips/h264.ts" >stdin.jsonl; code=$?
check "standard input is a video" equal "$code $(wc -l <stdin.jsonl)" "0 12"
cat "$clips/h264.ts" | "$fovea" track - --detections none.txt --format jsonl -q >pipe.jsonl
check "a pipe is a video" equal "$(wc -l <pipe.jsonl)" 12
(sleep 20) | "$fovea" track - --detections none.txt -q 2>err & pid=$!
sleep 1; kill -INT $pid; sleep 1; kill -INT $pid 2>/dev/null; wait $pid; code=$?
check "Ctrl-C twice ends waiting for input" equal $code 130

cp "$clips/h264.mp4" in.mp4
"$fovea" track in.mp4 --detections none.txt --annotate ./in.mp4 2>err; code=$?
check "the source is not written over" equal "$code $(cmp in.mp4 "$clips/h264.mp4" && echo same)" "1 same"

# A server that sends a clip and falls silent.
cat >server.py <<'PY'
import socket, sys, time
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
print(listener.getsockname()[1], flush=True)
client, _ = listener.accept()
client.recv(4096)
client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n" + 8 * open(sys.argv[1], "rb").read())
time.sleep(60)
PY
python3 server.py "$clips/h264.ts" >port & server=$!
while [ ! -s port ]; do sleep 0.1; done
"$fovea" track "http://127.0.0.1:$(cat port)/live.ts" --output silent.jsonl 2>err & pid=$!
sleep 5
start=$SECONDS
kill -INT $pid; wait $pid; code=$?
check "Ctrl-C ends waiting for a silent stream" equal "$code $((SECONDS - start <= 2))" "130 1"

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  mkdir locked && chmod 755 . locked
  setpriv --reuid=65534 --regid=65534 --clear-groups \
    "$fovea" track "$clips/h264.mp4" --detections none.txt --annotate locked/o.mp4 2>err; code=$?
  check "a folder without rights is exit 1" equal $code 1
  check "it says why" grep -q "Permission denied" err
  mkdir small
  if mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
    "$fovea" track "$video" --detections none.txt --output small/o.jsonl -q 2>err; code=$?
    check "a full disk is exit 1" equal $code 1
    check "every line is whole" whole_lines small/o.jsonl
    umount small
  fi
else
  echo "--    neither rights nor the full disk were tried: that needs root"
fi

echo
[ $failures = 0 ] && echo "all passed" || echo "$failures failed"
exit $((failures > 0))
