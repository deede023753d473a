#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the clips of this folder anew with the program ffmpeg (5.1 of Debian 12): 12 frames of 64 × 48 pixels, ten a
# second; the left half is 0xC04020, the right half 0x2060A0. Other versions make other bytes, and the tests still pass.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
run() { ffmpeg -hide_banner -loglevel error -y -fflags +bitexact "$@"; }
source="color=c=0xC04020:s=64x48:r=10:d=1.2,drawbox=x=32:y=0:w=32:h=48:c=0x2060A0:t=fill,format=gbrp"
encode() { # encode FILE PIXELS OPTIONS…: BT.601 in video range, and marked so
  local file=$1 pixels=$2
  shift 2
  run -f lavfi -i "$source" -vf "scale=out_color_matrix=bt601:out_range=tv:flags=accurate_rnd,format=$pixels" \
    -colorspace smpte170m -color_range tv -flags:v +bitexact -map_metadata -1 "$@" "$file"
}
encode h264.mp4 yuv420p -c:v libx264 -g 5 -bf 2 -crf 10 -movflags +faststart
encode h264-tail.mp4 yuv420p -c:v libx264 -g 5 -crf 10
encode h264-422.mp4 yuv422p -c:v libx264 -crf 10
encode h264-444.mp4 yuv444p -c:v libx264 -crf 10
encode h264-10bit.mp4 yuv420p10le -c:v libx264 -crf 10
encode hevc-10bit.mp4 yuv420p10le -c:v libx265 -x265-params log-level=error -crf 10 -tag:v hvc1
encode vp9.webm yuv420p -c:v libvpx-vp9 -crf 10 -b:v 0
encode mpeg4.avi yuv420p -c:v mpeg4 -q:v 2
encode mpeg2.ts yuv420p -c:v mpeg2video -q:v 2 -r 25
encode h264.ts yuv420p -c:v libx264 -g 5 -crf 10
run -f lavfi -i "$source" -vf "scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p" -c:v mjpeg -q:v 2 mjpeg.mov
run -f lavfi -i "$source" -vf format=bgr24 -frames:v 3 -c:v rawvideo raw.avi
run -f lavfi -i "$source" -vf "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none" -c:v gif animated.gif
# BT.709 and full range, each marked.
run -f lavfi -i "$source" -vf "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p" -colorspace bt709 \
  -color_range tv -c:v libx264 -crf 10 h264-709.mp4
run -f lavfi -i "$source" -vf "scale=out_color_matrix=bt601:out_range=pc,format=yuv420p" -colorspace smpte170m \
  -color_range pc -c:v libx264 -crf 10 h264-full.mp4
# Frames 0, 1, 4, 5, 9 at their own times.
encode varied.mkv yuv420p -c:v libx264 -crf 10 -vf "select='eq(n,0)+eq(n,1)+eq(n,4)+eq(n,5)+eq(n,9)',format=yuv420p" -vsync vfr
# Cut without encoding again: an edit list leaves out what lies before frame 3, back to the key frame.
encode whole.mp4 yuv420p -c:v libx264 -g 12 -bf 2 -crf 10
run -ss 0.3 -i whole.mp4 -c copy -map_metadata -1 trimmed.mp4
# Sound that goes on for long after the last frame; the same without a length.
run -i vp9.webm -f lavfi -i "sine=d=4:r=8000" -c:v copy -c:a libopus -b:a 6k -map_metadata -1 long-sound.webm
run -i long-sound.webm -c copy -live 1 -f webm pipe:1 >live.webm
# Pixels that are wider than high, with sound, and times that begin above 0 as those of MPEG-TS do; and rotated.
encode wide.mp4 yuv420p -c:v libx264 -g 5 -crf 10 -aspect 16:9
run -i wide.mp4 -f lavfi -i "sine=d=1.2:r=8000" -c:v copy -c:a aac -b:a 8k -ac 1 -map_metadata -1 wide.ts
run -i wide.ts -c copy -map_metadata -1 -metadata:s:v rotate=90 wide.mp4
rm whole.mp4
# Two tracks of sound, subtitles, chapters and a cover image.
printf '1\n00:00:00,200 --> 00:00:00,500\nfirst\n\n2\n00:00:00,700 --> 00:00:01,000\nsecond\n' >words.srt
printf ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=%s\nEND=%s\ntitle=%s\n' 0 600 one >chapters.txt
run -f lavfi -i "color=red:s=16x16" -frames:v 1 cover.png
run -i h264.mp4 -f lavfi -i "sine=d=1.2:r=8000" -f lavfi -i "sine=f=880:d=1.2:r=8000" -i words.srt -i chapters.txt \
  -map 0:v -map 1:a -map 2:a -map 3:s -map_metadata -1 -map_chapters 4 -c:v copy -c:a aac -b:a 8k -ac 1 -c:s srt \
  -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -metadata:s:s:0 language=fra \
  -attach cover.png -metadata:s:t mimetype=image/png tracks.mkv
# Nine tracks of subtitles before the second one of sound.
run -i h264.mp4 -f lavfi -i "sine=d=0.3:r=8000" -i words.srt -map 0:v -map 1:a $(printf -- '-map 2:s %.0s' {1..9}) -map 1:a \
  -map_metadata -1 -c:v copy -c:a aac -b:a 8k -ac 1 -c:s srt subtitles.mkv
rm words.srt chapters.txt cover.png
run -f lavfi -i "sine=d=0.3" -c:a pcm_s16le -ar 8000 sound.wav
run -f lavfi -i "sine=d=0.3" -c:a aac sound.m4a
run -i sound.wav -f lavfi -i "color=red:s=16x16:d=0.04:r=25" -map 0 -map 1 -c:a libmp3lame -c:v png -disposition:v attached_pic cover.mp3
# 6 frames of 64 × 48, then 6 of 96 × 64.
run -f lavfi -i "$source" -frames:v 6 -pix_fmt yuv420p -c:v libx264 -crf 20 -f h264 first.h264
run -f lavfi -i "$source" -frames:v 6 -vf scale=96:64 -pix_fmt yuv420p -c:v libx264 -crf 20 -f h264 second.h264
cat first.h264 second.h264 >sizes.h264
rm first.h264 second.h264
