// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import FoveaCLI

@Suite struct HelpTests {
  static let commands: [any ParsableCommand.Type] = [
    FoveaCommand.self, DetectCommand.self, LabelCommand.self, SegmentCommand.self, TrackCommand.self,
    ModelCommand.self, ModelInspectCommand.self, BenchCommand.self, EvaluateCommand.self,
    EvaluateDetectionCommand.self,
    EvaluateLabelsCommand.self, EvaluateSegmentationCommand.self, EvaluateTrackingCommand.self,
    ModelListCommand.self, ModelPullCommand.self, ModelVerifyCommand.self,
    ModelCompareCommand.self, ModelRemoveCommand.self, ForwardedHostCommand.self,
    ForwardedInferenceCommand.self,
    EmbedCommand.self, ModelCheckCommand.self, ModelAddMetadataCommand.self, TrainCommand.self,
    TrainLabelsCommand.self,
  ]

  @Test func `help fits one screen and has an example`() throws {
    for command in Self.commands {
      let lines = FoveaCommand.helpMessage(for: command, columns: 80).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(
        lines.count <= 40, "\(command): give rare options 'visibility: .hidden', which --help-hidden lists")
      #expect(lines.contains { $0.hasPrefix("Example: fovea ") }, "\(command)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(command)")
    }
  }

  /// Each command, in the order of the help.
  static func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { all($0) }
  }

  @Test func `each abstract is a sentence with a full stop`() {
    for command in Self.all(FoveaCommand.self) {
      let abstract = command.configuration.abstract
      #expect(abstract.first?.isUppercase == true && abstract.hasSuffix("."), "\(command): \(abstract)")
    }
  }

  @Test func `label has no options for boxes`() {
    let help = FoveaCommand.helpMessage(for: LabelCommand.self, includeHidden: true, columns: 80)
    for option in [
      "--yolo-scores", "--coco-ids", "--annotate", "--upright", "--relabel", "--single", "--slice",
      "--max-objects", "--family", "--background", "--masks",
      "--keypoint-threshold",
    ] {
      #expect(!help.contains(option), "\(option)")
    }
    #expect(help.contains("--max-results") && help.contains("--activation"))
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
        OVERVIEW: Find, label and follow objects in photos and video.

        Example: fovea detect street.jpg

        USAGE: fovea [--version] <subcommand>

        OPTIONS:
          --version               Print the versions of Fovea and LiteRT.
          -h, --help              Show help information.

        SUBCOMMANDS:
          detect                  Find objects in photos.
          label                   Label whole photos.
          segment                 Find the class of each part of photos.
          track                   Follow objects through a video.
          embed                   Compute features of photos, and find similar ones.
          evaluate                Compare results with the ground truth.
          train                   Train a classifier on your own images.
          model                   Inspect, check, compare and download models.
          host                    Host models for apps.
          serve                   Detect and label images over HTTP.
          bench                   Measure the speed of a model.

          See 'fovea help <subcommand>' for detailed help.
        """#),
    SnapshotCase(
      command: DetectCommand.self,
      text: #"""
        OVERVIEW: Find objects in photos.

        Example: fovea detect ~/photos --annotate out/
        --help-hidden lists all options.

        USAGE: fovea detect <path>… [options]

        ARGUMENTS:
          <path>                  Photos, folders, patterns; '-' for standard input.

        OPTIONS:
          -r, --recursive         Search subfolders too.
          --shard <i/n>           Process part i of n, from 0, by a hash of each path.
          --roi <x,y,w,h>         Process only this region, in stored pixels.
          --jobs <n>              Photos processed in parallel (default: one per core).
          --threads <n>           Threads per photo.
          -m, --model <file>      A .tflite file, folder or name (default: built in).
          --threshold <s>         Minimum score (default: the model's; for track 0.5).
          --labels <file>         Label file: lines, pbtxt, CSV, JSON or YAML.
          --allow <label,…>       Report only these labels.
          --deny <label,…>        Never report these labels.
          --locale <name>         Language of the labels, such as "en".
          --classifier <file>     A classifier that labels each object's crop.
          --landmarks <file>      A model for the points of bodies, faces or hands.
          --single                Report only the most prominent object.
          --max-objects <n>       Maximum number of objects (default: the model's).
          --slice                 Also detect in overlapping tiles, for small objects.
          --relabel <file>        A classifier whose labels replace the detector's.
          --annotate <dir|file>   Write annotated copies of the photos here.
          --upright/--no-upright  Report boxes relative to the EXIF-rotated photo.
          --format <format>       Output format; text by default. (values: text, json,
                                  jsonl, csv, coco, voc, yolo)
          --masks <form>          Form of masks: rle, polygon or none (default: rle).
          -o, --output <file|dir> Write to a file; its extension can select the format.
          --report <html>         Write an HTML page with images, boxes and figures.
          --resume                Continue where --output ended (not text, json, coco).
          -q, --quiet             No progress, notes or summary.
          -v, --verbose           Print the time of every stage.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: SegmentCommand.self,
      text: #"""
        OVERVIEW: Find the class of each part of photos.

        Example: fovea segment street.jpg --model deeplabv3.tflite --annotate out/
        --help-hidden lists all options.

        USAGE: fovea segment <path>… --model <file> [options]

        ARGUMENTS:
          <path>                  Photos, folders, patterns; '-' for standard input.

        OPTIONS:
          -r, --recursive         Search subfolders too.
          --shard <i/n>           Process part i of n, from 0, by a hash of each path.
          --roi <x,y,w,h>         Process only this region, in stored pixels.
          --jobs <n>              Photos processed in parallel (default: one per core).
          --threads <n>           Threads per photo.
          -m, --model <file>      A segmentation model: .tflite, .task or name.
          --labels <file>         Label file: lines, pbtxt, CSV, JSON or YAML.
          --locale <name>         Language of the labels, such as "en".
          --family <name>         The model's family: class-map, mask, two-class-map,
                                  yolo-sem, map.
          --format <format>       Output format; text by default. (values: text, json,
                                  jsonl)
          --masks <form>          Form of masks: rle, polygon or none (default: rle).
          -o, --output <dir>      Write a PNG of class numbers for each photo here.
          --annotate <dir|file>   Write copies with painted classes here.
          --report <html>         Write an HTML page with images, maps and shares.
          --resume                Leave out photos with a PNG of this model in --output.
          --upright/--no-upright  Make maps of the EXIF-rotated photo (default with
                                  --output).
          -q, --quiet             No progress, notes or summary.
          -v, --verbose           Print the time of every stage.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: LabelCommand.self,
      text: #"""
        OVERVIEW: Label whole photos.

        Example: fovea label bird.jpg --model bird.tflite
        --help-hidden lists all options.

        USAGE: fovea label <path>… [options]

        ARGUMENTS:
          <path>                  Photos, folders, patterns; '-' for standard input.

        OPTIONS:
          -r, --recursive         Search subfolders too.
          --shard <i/n>           Process part i of n, from 0, by a hash of each path.
          --roi <x,y,w,h>         Process only this region, in stored pixels.
          --jobs <n>              Photos processed in parallel (default: one per core).
          --threads <n>           Threads per photo.
          -m, --model <file>      A .tflite file, folder or name (default: built in).
          --threshold <s>         Minimum score (default: the model's; for track 0.5).
          --labels <file>         Label file: lines, pbtxt, CSV, JSON or YAML.
          --allow <label,…>       Report only these labels.
          --deny <label,…>        Never report these labels.
          --locale <name>         Language of the labels, such as "en".
          --max-results <n>       Maximum number of labels. (default: 10)
          --format <format>       Output format; text by default. (values: text, json,
                                  jsonl, csv)
          -o, --output <file|dir> Write to a file; its extension can select the format.
          --report <html>         Write an HTML page with images, boxes and figures.
          --resume                Continue where --output ended (not text, json).
          -q, --quiet             No progress, notes or summary.
          -v, --verbose           Print the time of every stage.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: TrackCommand.self,
      text: #"""
        OVERVIEW: Follow objects through a video.

        Example: fovea track walk.mp4 --annotate out.mp4
        A track starts at a score of --threshold or more (0.5; with --detections 0.7).
        --help-hidden lists all options.

        USAGE: fovea track <source> [options]

        ARGUMENTS:
          <source>                Video, folder, /dev/video0, rtsp://…, det.txt.

        OPTIONS:
          -m, --model <file>      A .tflite file, folder or name (default: built in).
          --threshold <s>         Minimum score (default: the model's; for track 0.5).
          --labels <file>         Label file: lines, pbtxt, CSV, JSON or YAML.
          --allow <label,…>       Report only these labels.
          --deny <label,…>        Never report these labels.
          --locale <name>         Language of the labels, such as "en".
          --classifier <file>     A classifier that labels each object's crop.
          --landmarks <file>      A model for the points of bodies, faces or hands.
          --single                Report only the most prominent object.
          --max-objects <n>       Maximum number of objects (default: the model's).
          --slice                 Also detect in overlapping tiles, for small objects.
          --detections <det.txt>  Follow the boxes of this file; run no detector.
          --tracker <name>        Tracking algorithm. (values: fovea, bytetrack,
                                  ocsort, sort; default: fovea)
          --every <n>             Run the detector on every n-th frame, 1 to 1000.
          --interpolate           Fill gaps of up to 20 frames; prints at the end.
          --frame-rate <r>        Frames per second, if the source does not declare it.
          --line <x1,y1,x2,y2>    Count objects that cross this line.
          --zone <x1,y1,…>        Count objects in this polygon.
          --counts                Print only the counts, no boxes.
          --format <format>       Format; default: text. (values: text, jsonl, mot, csv)
          -o, --output <file>     Write to a file; its extension can select the format.
          --annotate <video>      Write a video with boxes, ids and trails.
          --events <file>         Write who came, stayed and went, as JSON lines.
          --upright               Report boxes relative to the rotated, upright frame.
          -q, --quiet             No progress, notes or summary.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelInspectCommand.self,
      text: #"""
        OVERVIEW: Show the contents of a model.

        Example: fovea model inspect coco_ssd.tflite
        Prints tensors, family, labels, metadata, hash, and what is missing to use it.

        USAGE: fovea model inspect <file|dir> [options]

        ARGUMENTS:
          <file|dir>              A .tflite file, AutoML folder or name.

        OPTIONS:
          --labels <file>         Label file: lines, pbtxt, CSV, JSON or YAML.
          --family <name>         The detector's family, if the model does not name it.
          --normalize <mean,std>  Input = (pixel − mean) ÷ std.
          --activation <name>     Activation for raw scores, if the model does not
                                  declare it: none, sigmoid or softmax.
          --background <which>    Position of the background score: first or none.
          --run                   Run once on a grey image; check values, print time.
          --layers                List only the layers that 'model quantize' can keep
                                  float.
          --limit-memory <bytes>  Maximum address space of the process.
          --limit-seconds <s>     Maximum processor time of the process.
          --json                  Print one line of JSON.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelCheckCommand.self,
      text: #"""
        OVERVIEW: Check a model against ML Kit's rules.

        Example: fovea model check bird.tflite
        Lists every rule for custom models, passed or failed, with the fix. 'differs':
        ML Kit refuses the model, Fovea accepts it. Exits with 1 if ML Kit or Fovea
        refuses the model. Reads the file but does not run it: 'fovea model inspect
        --run' checks its values.

        USAGE: fovea model check <file|dir> [options]

        ARGUMENTS:
          <file|dir>              A .tflite file, AutoML folder or name.

        OPTIONS:
          --labels <file>         Label file: lines, pbtxt, CSV, JSON or YAML.
          --family <name>         The detector's family, if the model does not name it.
          --normalize <mean,std>  Input = (pixel − mean) ÷ std.
          --activation <name>     Activation for raw scores, if the model does not
                                  declare it: none, sigmoid or softmax.
          --background <which>    Position of the background score: first or none.
          --json                  Print one line of JSON.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelAddMetadataCommand.self,
      text: #"""
        OVERVIEW: Write labels and other metadata into a model.

        Example: fovea model add-metadata m.tflite --labels l.txt --output new.tflite
        For classifiers and detectors, as ML Kit and MediaPipe read them. Existing
        metadata is kept unless replaced. --output may be the model itself.

        USAGE: fovea model add-metadata <file|dir> --output <file> [options]

        ARGUMENTS:
          <file|dir>              A .tflite file, AutoML folder or name.

        OPTIONS:
          --labels <file>         Label file: lines, pbtxt, CSV, JSON or YAML.
          --normalize <mean,std>  Input = (pixel − mean) ÷ std.
          --threshold <s>         Leave out results below this score, 0 to 1.
          --locale-labels <name=file>
                                  Display names in a language, such as en=names.txt.
          -o, --output <file>     The new model file.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelListCommand.self,
      text: #"""
        OVERVIEW: List available and installed models.

        Example: fovea model list
        Lists embedded, downloadable and installed models, including a host's models.
        Downloads nothing.

        USAGE: fovea model list [--json]

        OPTIONS:
          --json                  Print one line of JSON.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelPullCommand.self,
      text: #"""
        OVERVIEW: Download a model.

        Example: fovea model pull coco-ssd-mobilenet-v1
        Shows size and licence, asks, downloads, verifies. Resumes an interrupted
        download. A name that is not in the catalogue is looked up on your own host,
        FOVEA_MODEL_HOST, and downloaded without asking.

        USAGE: fovea model pull <name> [--host <url>] [--yes] [--quiet]

        ARGUMENTS:
          <name>                  A name from 'fovea model list' or of your host.

        OPTIONS:
          --host <url>            URL of a mirror's folder, or of a model host with
                                  {name} in it.
          -y, --yes               Do not ask; for scripts.
          -q, --quiet             No progress.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelVerifyCommand.self,
      text: #"""
        OVERVIEW: Verify installed models.

        Example: fovea model verify
        Compares each file with its SHA-256. Downloads nothing.

        USAGE: fovea model verify [<name> ...]

        ARGUMENTS:
          <name>                  Installed models (default: all).

        OPTIONS:
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelRemoveCommand.self,
      text: #"""
        OVERVIEW: Delete an installed model.

        Example: fovea model remove object-labeler

        USAGE: fovea model remove <name>

        ARGUMENTS:
          <name>                  The name of the model.

        OPTIONS:
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: ModelRollbackCommand.self,
      text: #"""
        OVERVIEW: Return to the previous version of a hosted model.

        Example: fovea model rollback bird
        The version that you leave is not pulled again; a newer one is. A second
        rollback undoes the first. Downloads nothing.

        USAGE: fovea model rollback <name>

        ARGUMENTS:
          <name>                  The name of a model of your host.

        OPTIONS:
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: BenchCommand.self,
      text: #"""
        OVERVIEW: Measure the speed of a model.

        Example: fovea bench --model coco_ssd.tflite street.jpg
        Measures the time per photo (latency), the photos per second (throughput), or
        the frames per second (video).

        USAGE: fovea bench <path>… [options]

        ARGUMENTS:
          <path>                  Photos and folders, or a video.

        OPTIONS:
          --task <task>           Task of the model. (values: detect, label; default:
                                  detect)
          --mode <mode>           Measurement mode. (values: latency, throughput,
                                  video; default: latency)
          -m, --model <file>      A .tflite file, folder or name (default: built in).
          --repetitions <n>       Timed runs per photo (latency) or passes over all
                                  (throughput).
          --threads <n>           latency: threads; 0 lets the library choose.
                                  (default: 0)
          --workers <n>           throughput: sessions; 0 is one per core. (default: 0)
          --frames <n>            video: number of frames; 0 is all. (default: 0)
          --max-results <n>       Maximum number of objects or labels (default: 5;
                                  video: 10).
          --threshold <s>         Minimum score, 0 to 1 (default: 0; video: 0.4).
          --json                  Print one line of JSON, schema bench/1.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: EvaluateCommand.self,
      text: #"""
        OVERVIEW: Compare results with the ground truth.

        Example: fovea evaluate labels test/ --model flowers-model

        USAGE: fovea evaluate <subcommand>

        OPTIONS:
          -h, --help              Show help information.

        SUBCOMMANDS:
          detection               Compute COCO AP and AR.
          labels                  Compute accuracy, F1 and confusions.
          segmentation            Compute mean IoU and pixel accuracy.
          tracking                Compute HOTA, MOTA and IDF1.

          See 'fovea help evaluate <subcommand>' for detailed help.
        """#),
    SnapshotCase(
      command: EvaluateDetectionCommand.self,
      text: #"""
        OVERVIEW: Compute COCO AP and AR.

        Example: fovea evaluate detection --ground-truth gt.json --detections dets.json
        Prints the twelve figures of pycocotools, overall and per category.

        USAGE: fovea evaluate detection --ground-truth <json> --detections <json> …

        OPTIONS:
          --ground-truth <json>   COCO instances: images, categories, annotations.
          --detections <json>     COCO results, or any format of fovea detect.
          --class-agnostic        Ignore categories: treat all objects as one class.
          --iou <x,y,…>           Shape: boxes, masks or keypoints, and thresholds
                                  (default: boxes, 0.5 to 0.95 by 0.05).
          --per-class/--no-per-class
                                  Print a line for each category. (default: --per-class)
          --ignore-unknown        Ignore detections on images or of categories that the
                                  ground truth does not list.
          --json                  Print one line of JSON, with all figures.
          -q, --quiet             Do not print notes.
          -h, --help              Show help information.
        """#),
    SnapshotCase(
      command: EvaluateTrackingCommand.self,
      text: #"""
        OVERVIEW: Compute HOTA, MOTA and IDF1.

        Example: fovea evaluate tracking --ground-truth MOT17/train --results out/
        Prints TrackEval's figures for MOT or KITTI files, per sequence and combined.

        USAGE: fovea evaluate tracking --ground-truth <dir> --results <dir> …

        OPTIONS:
          --ground-truth <dir>    SEQ/gt/gt.txt with seqinfo.ini, SEQ.txt, or one file.
          --results <dir>         SEQ.txt of each sequence, or one file.
          --benchmark <name>      MOT15, MOT16, MOT17, MOT20, plain or kitti (default:
                                  by names and columns).
          --class <name>          KITTI class: car or pedestrian (default: car).
          --sequences <name,…>    Evaluate only these sequences.
          --json                  Print one line of JSON, with all figures.
          -q, --quiet             Do not print notes.
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
