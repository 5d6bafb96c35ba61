//! How far a job has come, as an object for programs.

use serde::Serialize;

use super::Status;
use tabiya_perft::Convention;

/// What `tabiya status --json` and `tabiya perft --checkpoint FILE --json` print: how far a long
/// run has come.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatusReport {
    /// Has everything been counted?
    complete: bool,
    #[serde(flatten)]
    status: Status,
    /// Whether a check that mates counts as a check: `mates_included` or `mates_excluded`. Absent
    /// unless leaf nodes are counted by category.
    #[serde(skip_serializing_if = "Option::is_none")]
    convention: Option<&'static str>,
    /// The rate of the process that is running: `running.nodes` divided by `running.seconds`. Null
    /// if no process is running, or if it has just begun.
    nps: Option<f64>,
    /// The rate of one thread, averaged over all sessions: `nodes` divided by `thread_seconds`.
    /// Null if nothing has been counted.
    nodes_per_thread_second: Option<f64>,
    /// How long the process that is running still needs, in seconds, if the remaining units take as
    /// long as those that it has counted. Null if no process is running, or if it has counted none.
    seconds_left: Option<f64>,
    /// How long one thread still needs, in seconds, if the remaining units take as long as those
    /// that have been counted. Null if none has been counted.
    thread_seconds_left: Option<f64>,
    /// An estimate of the whole count from the units that have been counted. Null if none has been
    /// counted.
    projected_nodes: Option<f64>,
}

impl StatusReport {
    /// The name and version of the schema of the JSON object.
    pub const SCHEMA: &'static str = "tabiya-status/1";

    /// Creates the report of a status. The convention says which checks count.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya_perft::Convention;
    /// use tabiya_runs::checkpoint::{Checkpoint, Job, StatusReport};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let job = Job::new(Position::START, 4)?;
    /// let checkpoint = Checkpoint::open_or_create(&folder.path().join("start-4"), &job, &())?;
    /// let report = StatusReport::new(&checkpoint.status()?, Convention::default());
    /// assert!(report.to_json().starts_with(r#"{"schema":"tabiya-status/1","complete":false,"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(status: &Status, convention: Convention) -> Self {
        let status = status.clone().with_convention(convention);
        Self {
            complete: status.is_complete(),
            convention: status.categories().map(|_| convention.key()),
            nps: status.nodes_per_second(),
            nodes_per_thread_second: status.nodes_per_thread_second(),
            seconds_left: status.seconds_left(),
            thread_seconds_left: status.thread_seconds_left(),
            projected_nodes: status.projected(),
            status,
        }
    }

    /// The JSON object, on one line. Its first field is the schema.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Document<'a> {
            schema: &'static str,
            #[serde(flatten)]
            report: &'a StatusReport,
        }
        let document = Document { schema: Self::SCHEMA, report: self };
        serde_json::to_string(&document).expect("its keys are strings, and it writes to memory")
    }
}
