#pragma once
// The base of every lab's run: what it is given, what it reports and keeps, and its trainings, one network after
// another.

#include "core/labs/training_loop.h"

#include <algorithm>

namespace attnscope {

class Experiment {
public:
    Experiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : m_run(run), m_lab(lab), m_parameters(lab, run.choice), m_stop(std::move(stop)),
          m_report(progress, "preparing")
    {
    }

protected:
    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }

    /// What a run says that trains nothing: of a checkpoint in its folder, of the network that it tests, and how to
    /// train one instead.
    struct NoTraining {
        std::string network, instead;  ///< "the head that comes with the program", "set steps above 0 to train heads"
        std::string resumed =
            "with steps = 0 there is none to resume; set steps as in that run, or give another folder";
    };
    /// No training is resumed then, and every choice of training stands at its default: another would have no effect,
    /// and nobody be told. `acts`: is this parameter none of training?
    Result<void> checkNoTraining(const NoTraining& words, const std::function<bool(const std::string& id)>& acts) const;

    /// train(number, from, to) for `count` networks, from 0, each an equal part of `share` of the run's progress, which
    /// tests follow unless it is all of it.
    /// `what`: "network".
    Result<void> trainEach(std::int64_t count, double share, const std::string& what,
                           const std::function<Result<void>(std::int64_t number, double from, double to)>& train);

    /// The training completed by what a trainer says: as many steps as the run's parameters have, which measure loss
    /// and accuracy (per cent), unless it says itself what they measure, in a curve of some 200 rows.
    template <class Trainer>
    Training stepsOf(Trainer& trainer, Training training) const
    {
        constexpr std::int64_t rowsOfCurve = 200;
        training.weights = trainer.weights();
        training.adam = &trainer.adam();
        training.total = whole("steps");
        training.unitsPerRow = std::max<std::int64_t>(1, training.total / rowsOfCurve);
        if constexpr (requires { trainer.step().loss; })
            if (!training.advance) {
                training.measures = {"loss", "accuracy"};
                training.advance = [&trainer] {
                    const auto step = trainer.step();
                    return std::vector{step.loss, 100 * step.accuracy};
                };
            }
        return training;
    }

    /// For two whole parameters, by their names. Errors: InvalidArgument.
    Result<void> checkDivides(const char* part, const char* of) const
    {
        if (whole(of) % whole(part) == 0)
            return {};
        return failure(ErrorKind::InvalidArgument,
                       "{} must divide {}, but {} does not divide {}; set one of them otherwise", part, of, whole(part),
                       whole(of));
    }

    /// The training in its loop. Seconds spent. Errors: those of train() in training_loop.h.
    Result<double> train(const Training& training, double from, double to)
    {
        return attnscope::train(training, m_run, m_stop, m_report, from, to);
    }

    /// Something that was written to the run's folder goes with what it found.
    void addFile(LabFile file);

    /// Its weights as a file of the run's folder, where there is one. Errors: NotWritable.
    Result<void> keep(const Training& training, const std::string& about);

    /// Short tests of a network while it learns give live rows, m_previews, of what the whole test will say. Is it time
    /// for one?
    bool previewDue(const learn::Adam& adam) const
    {
        return m_report.due() && adam.steps() > 0 && Clock::now() >= m_nextPreview;
    }
    /// Does one. The next is not due before twenty times as long has passed.
    Result<void> preview(const std::function<Result<void>()>& test);

    /// The result, at the end; `seeds` are rows of the table `seeds`.
    LabResult finish(std::vector<LabCells> seeds = {});

    const LabRun& m_run;
    const Lab& m_lab;
    Parameters m_parameters;
    std::stop_token m_stop;
    LabReporter m_report;
    std::vector<LabFile> m_files;
    std::vector<LabRow> m_previews;

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_nextPreview{};
};

/// Lab::run of an experiment.
template <class OfLab>
Result<LabResult> runExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return OfLab(run, lab, std::move(stop), progress)();
}

}  // namespace attnscope
