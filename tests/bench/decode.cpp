// Prefill and decode speed of one model in several schemes, measured in turn (A/B/A/B), medians and ratios to fp32.
//   decode_bench MODEL [--schemes fp32,fp16,int8,int4-g32] [--prefill 512] [--decode 128] [--repeats 5] [--threads N]
//                [--depth 0] [--batch 1]
#include <assay/infer/inference_model.h>
#include <assay/infer/session.h>
#include <assay/model/model_file.h>

#include "kinds/speed.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>

using namespace assay;

int main(int argc, char** argv) {
    std::map<std::string, std::string> options{{"schemes", "fp32,fp16,int8,int4-g32"}, {"prefill", "512"}, {"decode", "128"},
                                               {"repeats", "5"}, {"threads", "0"}, {"depth", "0"}, {"batch", "1"}};
    if (argc < 2 || argc % 2 != 0) {
        std::fprintf(stderr, "usage: %s MODEL [--schemes A,B] [--prefill N] [--decode N] [--repeats N] [--threads N] [--depth N] [--batch N]\n", argv[0]);
        return 2;
    }
    for (int i = 2; i + 1 < argc; i += 2) options[argv[i] + (std::strncmp(argv[i], "--", 2) == 0 ? 2 : 0)] = argv[i + 1];
    const auto stop = [](const Error& error) {
        std::fprintf(stderr, "%s\n", error.text().c_str());
        std::exit(1);
    };
    auto path = model::resolveModel(argv[1]);
    if (!path) stop(path.error());
    auto file = model::openModel(*path);
    if (!file) stop(file.error());
    infer::ThreadPool pool(std::stoi(options["threads"]));
    const infer::Shape shape{std::stoll(options["prefill"]), std::stoll(options["decode"]), std::stoll(options["batch"]), std::stoll(options["depth"])};
    std::vector<std::string> names;
    std::vector<infer::ModelPtr> models;
    std::vector<std::unique_ptr<infer::Session>> sessions;
    std::istringstream list(options["schemes"]);
    for (std::string name; std::getline(list, name, ',');) {
        infer::LoadOptions load;
        load.scheme = name;
        auto loaded = infer::InferenceModel::load(**file, load, pool);
        if (!loaded) stop(loaded.error());
        infer::SessionOptions session;
        session.sequences = session.maxLogits = shape.batch;
        session.capacity = shape.depth + shape.prefill + shape.decode;
        auto created = infer::Session::create(*loaded, session, pool);
        if (!created) stop(created.error());
        names.push_back(name);
        models.push_back(*loaded);
        sessions.push_back(std::move(*created));
    }
    std::vector<std::vector<double>> prefill(names.size()), decode(names.size());
    const int repeats = std::stoi(options["repeats"]);
    for (int r = -1; r < repeats; ++r)
        for (size_t i = 0; i < names.size(); ++i) {
            // Decode from an empty cache, as llama-bench does, apart from the prefill.
            auto filled = infer::timeOnce(*sessions[i], {shape.prefill, 0, shape.batch, shape.depth}, 1);
            if (!filled) stop(filled.error());
            auto stepped = infer::timeOnce(*sessions[i], {1, shape.decode, shape.batch, shape.depth}, 1);
            if (!stepped) stop(stepped.error());
            if (r < 0) continue;
            prefill[i].push_back(filled->prefillTokensPerS);
            decode[i].push_back(stepped->decodeTokensPerS);
        }
    std::printf("| scheme | bits/weight | weight MB | prefill %lld t/s | decode %lld t/s | decode / fp32 |\n|---|---|---|---|---|---|\n",
                static_cast<long long>(shape.prefill), static_cast<long long>(shape.decode));
    for (size_t i = 0; i < names.size(); ++i)
        std::printf("| %s | %.2f | %.1f | %.1f | %.1f | %.2f |\n", names[i].c_str(), models[i]->bitsPerWeight(), double(models[i]->residentBytes()) / 1e6,
                    infer::median(prefill[i]), infer::median(decode[i]), infer::median(decode[i]) / infer::median(decode[0]));
}
