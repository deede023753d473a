// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import FoveaCLI

@Suite struct HelpTests {
  static let commands: [any ParsableCommand.Type] = [
    FoveaCommand.self, DetectCommand.self, LabelCommand.self, TrackCommand.self, ModelCommand.self,
    ModelInspectCommand.self, BenchCommand.self, EvaluateCommand.self, EvaluateDetectionCommand.self,
    EvaluateLabelsCommand.self, EvaluateTrackingCommand.self, ModelListCommand.self, ModelPullCommand.self,
    ModelVerifyCommand.self,
    ModelRemoveCommand.self, HostCommand.self, ServeCommand.self, ModelCheckCommand.self,
    ModelAddMetadataCommand.self, TrainCommand.self, TrainLabelsCommand.self,
  ]

  @Test func `help fits one screen and begins with an example`() throws {
    for command in Self.commands {
      let lines = FoveaCommand.helpMessage(for: command, columns: 80).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(
        lines.count <= 40, "\(command): give rare options 'visibility: .hidden', which --help-hidden lists")
      #expect(lines.first?.contains(": fovea ") == true, "\(command)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(command)")
    }
  }

  struct SnapshotCase: CustomTestStringConvertible, Sendable {
    var command: any ParsableCommand.Type
    var text: String
    var testDescription: String { "\(command)" }
  }

  @Test(arguments: [
    SnapshotCase(
      command: FoveaCommand.self,
      text: #"""
        OVERVIEW: Find, label and follow objects: fovea detect street.jpg

        USAGE: fovea [--version] <subcommand>

        OPTIONS:
          --version               Print the version, and LiteRT's.
          -h, --help              Show help information.

        SUBCOMMANDS:
          detect                  Find objects in photos: fovea detect ~/photos
                                  --annotate out/
          label                   Label whole photos: fovea label bird.jpg --model
                                  bird.tflite
          track                   Follow objects through video: fovea track walk.mp4
                                  --annotate out.mp4
          evaluate                Measure results against the truth: fovea evaluate
                                  detection --help
          train                   Train a classifier: fovea train labels flowers/
                                  --output flowers-model
          model                   Inspect, check and download models: fovea model list
          host                    Host models for apps: fovea host --help
          serve                   Answer images over HTTP: fovea serve --help
          bench                   Measure a model: fovea bench --model coco_ssd.tflite
                                  street.jpg

          See 'fovea help <subcommand>' for detailed help.
        """#),
    SnapshotCase(
      command: DetectCommand.self,
      text: #"""
        OVERVIEW: Find objects in photos: fovea detect ~/photos --annotate out/

        --help-hidden lists the rare options as well.

        USAGE: fovea detect <path>… [options]

        ARGUMENTS:
          <path>                  Photos, folders, patterns; '-' for standard input.

        OPTIONS:
          -r, --recursive         Search subfolders too.
          --shard <i/n>           Only the photos of part i of n, from 0, by a hash of
                                  their paths: a job array.
          --roi <x,y,w,h>         Process only this part, in stored pixels.
          --jobs <n>              Photos at a time (default: a core each).
          --threads <n>           Threads for each photo.
          -m, --model <file>      A .tflite file, folder or name (default: built in).
          --threshold <s>         The lowest score (default: the model's; track: 0.5).
          --labels <file>         A file of labels: lines, pbtxt, CSV, JSON or YAML.
          --allow <label,…>       Report only these labels.
          --deny <label,…>        Never report these labels.
          --locale <name>         Language of the labels, as "en".
          --classifier <file>     A classifier that labels each object's crop.
          --no-classify           Boxes only, no labels of crops.
          --single                Only the most prominent object.
          --max-objects <n>       The most objects (default: the model's).
          --slice                 Detect in overlapping tiles too, for small objects.
          --relabel <file>        A classifier whose labels replace the detector's.
          --annotate <dir|file>   Draw boxes and labels into new images there.
          --upright/--no-upright  Report boxes in the EXIF-rotated photo.
          --coco-ids <json>       For --format coco: results with the ids of this file.
          --format <format>       How to print results; text by default. (values: text,
                                  json, jsonl, csv, coco, voc, yolo)
          -o, --output <file|dir> Write to a file, whose ending can be the format.
          --report <html>         One page with images, boxes and figures.
          --resume                Continue where --output ended (not text, json, coco).
          -q, --quiet             No progress, notes or summary.
          -v, --verbose           Print the time of every stage.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: LabelCommand.self,
      text: #"""
        OVERVIEW: Label whole photos: fovea label bird.jpg --model bird.tflite

        --help-hidden lists the rare options as well.

        USAGE: fovea label <path>… [options]

        ARGUMENTS:
          <path>                  Photos, folders, patterns; '-' for standard input.

        OPTIONS:
          -r, --recursive         Search subfolders too.
          --shard <i/n>           Only the photos of part i of n, from 0, by a hash of
                                  their paths: a job array.
          --roi <x,y,w,h>         Process only this part, in stored pixels.
          --jobs <n>              Photos at a time (default: a core each).
          --threads <n>           Threads for each photo.
          -m, --model <file>      A .tflite file, folder or name (default: built in).
          --threshold <s>         The lowest score (default: the model's; track: 0.5).
          --labels <file>         A file of labels: lines, pbtxt, CSV, JSON or YAML.
          --allow <label,…>       Report only these labels.
          --deny <label,…>        Never report these labels.
          --locale <name>         Language of the labels, as "en".
          --max-results <n>       The most labels. (default: 10)
          --format <format>       How to print results; text by default. (values: text,
                                  json, jsonl, csv, coco, voc, yolo)
          -o, --output <file|dir> Write to a file, whose ending can be the format.
          --report <html>         One page with images, boxes and figures.
          --resume                Continue where --output ended (not text, json, coco).
          -q, --quiet             No progress, notes or summary.
          -v, --verbose           Print the time of every stage.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: TrackCommand.self,
      text: #"""
        OVERVIEW: Follow objects through video: fovea track walk.mp4 --annotate out.mp4

        An object begins at --threshold: a score of 0.5, or 0.7 with --detections.
        --help-hidden lists the rare options as well.

        USAGE: fovea track <source> [options]

        ARGUMENTS:
          <source>                Video, folder, /dev/video0, rtsp://…, det.txt.

        OPTIONS:
          -m, --model <file>      A .tflite file, folder or name (default: built in).
          --threshold <s>         The lowest score (default: the model's; track: 0.5).
          --labels <file>         A file of labels: lines, pbtxt, CSV, JSON or YAML.
          --allow <label,…>       Report only these labels.
          --deny <label,…>        Never report these labels.
          --locale <name>         Language of the labels, as "en".
          --classifier <file>     A classifier that labels each object's crop.
          --no-classify           Boxes only, no labels of crops.
          --single                Only the most prominent object.
          --max-objects <n>       The most objects (default: the model's).
          --slice                 Detect in overlapping tiles too, for small objects.
          --detections <det.txt>  Follow these boxes; no detector is run.
          --tracker <name>        How to follow. (values: fovea, bytetrack, ocsort,
                                  sort; default: fovea)
          --every <n>             Detect on every n-th frame, 1 to 1000; boxes move on.
          --interpolate           Fill gaps of up to 20 frames, after the last frame.
          --frame-rate <r>        Frames per second, where the source does not say it.
          --config <file>         The tracker's parameters, as JSON.
          --line <x1,y1,x2,y2>    Count objects that cross this line.
          --zone <x1,y1,…>        Count objects in this polygon.
          --counts                Print the counts alone, no boxes.
          --format <format>       How to print results; text by default. (values: text,
                                  jsonl, mot, csv)
          -o, --output <file>     Write to a file, whose ending can be the format.
          --annotate <video>      Draw boxes, ids and trails into a new video.
          --upright               Report boxes in the rotated, upright frame.
          -q, --quiet             No progress, notes or summary.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelInspectCommand.self,
      text: #"""
        OVERVIEW: Show what a model is: fovea model inspect coco_ssd.tflite

        Tensors, family, labels, metadata, hash, and what is missing to use it.

        USAGE: fovea model inspect <file|dir> [options]

        ARGUMENTS:
          <file|dir>              A .tflite file, AutoML folder or name.

        OPTIONS:
          --labels <file>         A file of labels: lines, pbtxt, CSV, JSON or YAML.
          --family <name>         The detector's family, if the model does not show it.
          --normalize <mean,std>  Input = (pixel − mean) ÷ std.
          --activation <name>     What raw scores need, if the model does not show it:
                                  none, sigmoid or softmax.
          --background <which>    Which raw score is the background's: first or none.
          --run                   Run it once on grey; print time and memory.
          --limit-memory <bytes>  The most address space for it.
          --limit-seconds <s>     The most processor time for it.
          --json                  Print one line of JSON.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelCheckCommand.self,
      text: #"""
        OVERVIEW: Show whether ML Kit takes a model: fovea model check bird.tflite

        Every rule for custom models, passed or not, with the fix. 'differs': ML Kit
        refuses it, Fovea takes it. Exit code 1 where ML Kit would refuse the model, or
        Fovea does.

        USAGE: fovea model check <file|dir> [options]

        ARGUMENTS:
          <file|dir>              A .tflite file, AutoML folder or name.

        OPTIONS:
          --labels <file>         A file of labels: lines, pbtxt, CSV, JSON or YAML.
          --family <name>         The detector's family, if the model does not show it.
          --normalize <mean,std>  Input = (pixel − mean) ÷ std.
          --activation <name>     What raw scores need, if the model does not show it:
                                  none, sigmoid or softmax.
          --background <which>    Which raw score is the background's: first or none.
          --json                  Print one line of JSON.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelAddMetadataCommand.self,
      text: #"""
        OVERVIEW: Write labels into a model: fovea model add-metadata m.tflite --labels
        l.txt -o new.tflite

        For classifiers and detectors, as ML Kit and MediaPipe read them. What the
        model says of itself already stays. --output may be the model itself.

        USAGE: fovea model add-metadata <file|dir> --output <file> [options]

        ARGUMENTS:
          <file|dir>              A .tflite file, AutoML folder or name.

        OPTIONS:
          --labels <file>         A file of labels: lines, pbtxt, CSV, JSON or YAML.
          --normalize <mean,std>  Input = (pixel − mean) ÷ std.
          --threshold <s>         Leave out results below this score, 0 to 1.
          --locale-labels <name=file>
                                  Display names of a language, as en=names.txt.
          -o, --output <file>     The new model file.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelListCommand.self,
      text: #"""
        OVERVIEW: List the models to download by name: fovea model list

        What is embedded, can be pulled and is installed, a model host's models
        included. Nothing is downloaded.

        USAGE: fovea model list [--json]

        OPTIONS:
          --json                  Print one line of JSON.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelPullCommand.self,
      text: #"""
        OVERVIEW: Download a model: fovea model pull coco-ssd-mobilenet-v1

        Shows size and licence, asks, downloads, verifies. Goes on where an
        earlier pull ended. A name that the catalogue lacks is a model of your
        own host, FOVEA_MODEL_HOST, and comes without a question.

        USAGE: fovea model pull <name> [--host <url>] [--yes] [--quiet]

        ARGUMENTS:
          <name>                  A name that 'fovea model list' shows, or a host's.

        OPTIONS:
          --host <url>            A mirror's folder, or with {name} a model host.
          -y, --yes               Do not ask; for scripts.
          -q, --quiet             No progress.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelVerifyCommand.self,
      text: #"""
        OVERVIEW: Check installed models: fovea model verify

        Compares each file with its SHA-256. Nothing is downloaded.

        USAGE: fovea model verify [<name> ...]

        ARGUMENTS:
          <name>                  Installed models (default: all).

        OPTIONS:
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelRemoveCommand.self,
      text: #"""
        OVERVIEW: Delete an installed model: fovea model remove object-labeler

        USAGE: fovea model remove <name>

        ARGUMENTS:
          <name>                  The name of the model.

        OPTIONS:
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelRollbackCommand.self,
      text: #"""
        OVERVIEW: Go back to a host's version before: fovea model rollback bird

        The version that is left is not pulled again; the next one is. Another
        rollback goes forward again. Nothing is downloaded.

        USAGE: fovea model rollback <name>

        ARGUMENTS:
          <name>                  The name of a model of your host.

        OPTIONS:
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: BenchCommand.self,
      text: #"""
        OVERVIEW: Measure a model: fovea bench --model coco_ssd.tflite street.jpg

        Time of each photo (latency), photos a second (throughput), frames a second
        (video).

        USAGE: fovea bench <path>… [options]

        ARGUMENTS:
          <path>                  Photos and folders; a video.

        OPTIONS:
          --task <task>           What the model does. (values: detect, label; default:
                                  detect)
          --mode <mode>           What to measure. (values: latency, throughput, video;
                                  default: latency)
          -m, --model <file>      A .tflite file, folder or name (default: built in).
          --repetitions <n>       Timed runs of each photo, or passes over all.
          --threads <n>           latency: threads; 0 is the library's choice.
                                  (default: 0)
          --workers <n>           throughput: sessions; 0 is one for each core.
                                  (default: 0)
          --frames <n>            video: the first frames; 0 is all. (default: 0)
          --max-results <n>       The most objects or labels (default: 5; video 10).
          --threshold <s>         The lowest score, 0 to 1 (default: 0; video 0.4).
          --json                  Print one line of JSON, schema bench/1.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: EvaluateCommand.self,
      text: #"""
        OVERVIEW: Measure results against the truth: fovea evaluate detection --help

        USAGE: fovea evaluate <subcommand>

        OPTIONS:
          -h, --help              Show help information.

        SUBCOMMANDS:
          detection               COCO AP and AR: fovea evaluate detection
                                  --ground-truth instances.json --detections dets.json
          labels                  Accuracy, F1, confusion: fovea evaluate labels test/
                                  --model flowers-model
          tracking                HOTA, MOTA, IDF1: fovea evaluate tracking
                                  --ground-truth MOT17/train --results out/

          See 'fovea help evaluate <subcommand>' for detailed help.
        """#),
    SnapshotCase(
      command: EvaluateDetectionCommand.self,
      text: #"""
        OVERVIEW: COCO AP and AR: fovea evaluate detection --ground-truth
        instances.json --detections dets.json

        The twelve figures of pycocotools, for all categories and each of them.

        USAGE: fovea evaluate detection --ground-truth <json> --detections <json> …

        OPTIONS:
          --ground-truth <json>   COCO instances: images, categories, annotations.
          --detections <json>     COCO results, or any format of fovea detect.
          --class-agnostic        Leave categories aside: all objects are of one kind.
          --iou <x,y,…>           Overlaps that count (default: 0.5 to 0.95 by 0.05).
          --per-class/--no-per-class
                                  Print a line for each category. (default: --per-class)
          --ignore-unknown        Leave out what the ground truth does not list.
          --json                  Print one line of JSON, with all figures.
          -q, --quiet             No notes.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: EvaluateTrackingCommand.self,
      text: #"""
        OVERVIEW: HOTA, MOTA, IDF1: fovea evaluate tracking --ground-truth MOT17/train
        --results out/

        The figures of TrackEval, per sequence and combined, of MOT and KITTI files.

        USAGE: fovea evaluate tracking --ground-truth <dir> --results <dir> …

        OPTIONS:
          --ground-truth <dir>    SEQ/gt/gt.txt with seqinfo.ini, SEQ.txt, or one file.
          --results <dir>         SEQ.txt of each sequence, or one file.
          --benchmark <name>      MOT15, MOT16, MOT17, MOT20, plain or kitti (default:
                                  by names and columns).
          --class <name>          Of KITTI: car or pedestrian (default: car).
          --sequences <name,…>    Evaluate only these sequences.
          --json                  Print one line of JSON, with all figures.
          -q, --quiet             No notes.
          -h, --help              Show help information.
        """#),
  ])
  func `help prints exactly this`(_ test: SnapshotCase) {
    var text = FoveaCommand.helpMessage(for: test.command, columns: 80)
    while text.hasSuffix("\n") { text.removeLast() }
    #expect(
      text == test.text,
      "if it is meant, write it into the snapshot here, and run scripts/command-reference for the page")
  }
}
