// SPDX-License-Identifier: Apache-2.0
// One epoch over images in files: a file for each, a file for each batch, or all in one file that is mapped into memory. The files are in
// the kernel's page cache, or, nightly, read from the disk in each call.
#include <torch/serialize.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/page_cache.hpp"
#include "suites/common/temporary_folder.hpp"

namespace torchgate::suites::storage {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;
namespace data = torch::data;

constexpr std::int64_t image_count = 32;
constexpr std::int64_t batch_size = 8;  // and the images of a chunk
constexpr std::int64_t image_size = 48;
constexpr std::int64_t elements_per_image = 3 * image_size * image_size;

std::string numbered(std::size_t number) {
  return std::to_string(number) + ".pt";
}

using Folder = std::shared_ptr<TemporaryFolder>;

Tensor images_of(const Args& args) {
  return Inputs(args).normal({image_count, 3, image_size, image_size});
}

/// Files 0.pt, 1.pt ... of `images_per_file` images each.
Folder folder_of(const Args& args, std::int64_t images_per_file) {
  auto folder = std::make_shared<TemporaryFolder>();
  std::size_t number = 0;
  for (const Tensor& part : images_of(args).split(images_per_file))
    write_file(folder->add(numbered(number++)), [&](std::ostream& file) { torch::save(part.clone(), file); });
  return folder;
}

Tensor loaded(const std::string& path) {
  Tensor tensor;
  torch::load(tensor, path);
  return tensor;
}

/// The norm of each batch of an epoch: reads every element, and makes no tensor of its size.
template <class Loader>
std::vector<double> norms_of(Loader& loader) {
  std::vector<double> norms;
  for (const data::TensorExample& batch : loader) norms.push_back(batch.data.norm().template item<double>());
  return norms;
}

/// With the axis cache at "cold" each call finds none of these files in the page cache.
template <class Call>
Timed epoch_over(const Args& args, const Folder& folder, std::vector<std::string> files, Call call) {
  if (args.text("cache") == "warm") return call;
  return each_time(
      [folder, files = std::move(files)] {
        for (const std::string& file : files) drop_from_page_cache(folder->file(file));
      },
      std::move(call));
}

std::vector<std::string> numbered_files(std::int64_t count) {
  std::vector<std::string> files;
  for (std::int64_t number = 0; number < count; ++number) files.push_back(numbered(static_cast<std::size_t>(number)));
  return files;
}

// --- a file for each image ----------------------------------------------------------------------------------------------

class FilePerImage : public data::datasets::Dataset<FilePerImage, data::TensorExample> {
 public:
  explicit FilePerImage(Folder folder) : folder_(std::move(folder)) {}
  data::TensorExample get(std::size_t index) override { return loaded(folder_->file(numbered(index))).squeeze(0); }
  [[nodiscard]] std::optional<std::size_t> size() const override { return image_count; }

 private:
  Folder folder_;
};

Timed file_per_image(const Args& args) {
  const Folder folder = folder_of(args, 1);
  auto images = FilePerImage(folder).map(data::transforms::Stack<data::TensorExample>());
  // Shared: a call that is measured with a set-up is copied.
  const std::shared_ptr loader = data::make_data_loader<data::samplers::SequentialSampler>(
      std::move(images), static_cast<std::size_t>(batch_size));
  return epoch_over(args, folder, numbered_files(image_count), [loader] { return norms_of(*loader); });
}

// --- chunks: files of several images, read ahead by a thread of ChunkDataset ---------------------------------------------

class ChunkReader : public data::datasets::ChunkDataReader<data::TensorExample> {
 public:
  using BatchType = ChunkType;  // read by ChunkDataset
  explicit ChunkReader(Folder folder) : folder_(std::move(folder)) {}
  ChunkType read_chunk(std::size_t chunk) override {
    ChunkType images;
    for (Tensor& image : loaded(folder_->file(numbered(chunk))).unbind()) images.emplace_back(std::move(image));
    return images;
  }
  std::size_t chunk_count() override { return image_count / batch_size; }
  void reset() override {}

 private:
  Folder folder_;
};

Timed chunks(const Args& args) {
  using InOrder = data::samplers::SequentialSampler;
  const data::datasets::ChunkDatasetOptions options(/*preloader_count=*/1, static_cast<std::size_t>(batch_size));
  const Folder folder = folder_of(args, batch_size);
  auto images = data::datasets::make_shared_dataset<data::datasets::ChunkDataset<ChunkReader, InOrder, InOrder>>(
      ChunkReader(folder), InOrder(0), InOrder(0), options);
  const std::shared_ptr loader = data::make_data_loader(images.map(data::transforms::Stack<data::TensorExample>()),
                                                        static_cast<std::size_t>(batch_size));
  return epoch_over(args, folder, numbered_files(image_count / batch_size), [loader] { return norms_of(*loader); });
}

// --- mapped: one file of plain numbers; a batch is a view of it -----------------------------------------------------------

/// Requests are those of a sequential sampler: a batch is a range of images.
class MappedImages : public data::datasets::BatchDataset<MappedImages, data::TensorExample> {
 public:
  explicit MappedImages(Folder folder) : folder_(std::move(folder)) {
    images_ = torch::from_file(folder_->file("images.bin"), /*shared=*/false, image_count * elements_per_image)
                  .view({image_count, 3, image_size, image_size});
  }
  data::TensorExample get_batch(c10::ArrayRef<std::size_t> indices) override {
    return images_.narrow(0, static_cast<std::int64_t>(indices.front()), static_cast<std::int64_t>(indices.size()));
  }
  [[nodiscard]] std::optional<std::size_t> size() const override { return image_count; }

 private:
  Folder folder_;
  Tensor images_;
};

Timed mapped(const Args& args) {
  auto folder = std::make_shared<TemporaryFolder>();
  const Tensor images = images_of(args);
  write_file(folder->add("images.bin"), [&](std::ostream& file) {
    file.write(static_cast<const char*>(images.const_data_ptr()), static_cast<std::streamsize>(images.nbytes()));
  });
  return epoch_over(args, folder, {"images.bin"}, [folder] {  // mapped in each epoch, as the others open their files
    return norms_of(*data::make_data_loader<data::samplers::SequentialSampler>(MappedImages(folder),
                                                                               static_cast<std::size_t>(batch_size)));
  });
}

TORCHGATE_GROUP("storage") {
  const Axis cache = group.axis("cache", {"warm", "cold"});
  group.only_full(cache("cold"));
  group.without({"peak_bytes"});  // ChunkDataset's thread reads ahead
  group.items([](const Args&) { return static_cast<double>(image_count); });

  group.reference("file_per_image", file_per_image);
  group.variant("chunks", chunks).within(1e-6).claims(time() <= 0.7 * reference(), cache("warm"));
  group.variant("mapped", mapped)
      .within(1e-6)
      .proves(calls("aten::from_file") == 1)
      .claims(metric("allocated_bytes") <= 0.1 * reference(), cache("warm"))
      .claims(time() <= 0.4 * reference(), cache("warm"));
}

}  // namespace
}  // namespace torchgate::suites::storage
