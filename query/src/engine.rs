//! DataFusion, with the tables registered.

use crate::{
    args::{Question, Usage},
    sources::{Dataset, Sources},
    stores::Remote,
};
use anyhow::{Context, Result, bail};
use datafusion::{
    arrow::{
        array::Int32Array,
        datatypes::{DataType, Schema},
    },
    common::DataFusionError,
    datasource::{
        file_format::parquet::ParquetFormat,
        listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl},
    },
    execution::{SendableRecordBatchStream, context::SQLOptions, runtime_env::RuntimeEnvBuilder},
    parquet::arrow::parquet_to_arrow_schema,
    prelude::{SessionConfig, SessionContext},
    scalar::ScalarValue,
};
use jfathom_tables::{SCHEMA_VERSION, Table};
use std::sync::Arc;
use url::Position;

/// What a query may keep in memory; what is more goes to the temporary directory.
const MEMORY_BYTES: usize = 768 << 20;

/// The names of all methods: the same key can have parameters in one profile and none in another.
const NAMES: &str = "CREATE VIEW names AS \
    SELECT method, max(name) AS name FROM methods GROUP BY method";

/// An engine that knows all tables of the sources.
///
/// # Errors
/// The tables are of a later schema, or partitioned in several ways; a store cannot be reached.
pub async fn context(sources: &Sources) -> Result<SessionContext> {
    let runtime = RuntimeEnvBuilder::new().with_memory_limit(MEMORY_BYTES, 1.0).build_arc()?;
    let mut config = SessionConfig::new().with_information_schema(true);
    // What a join needs of a table is known before the table is read: the other rows' names are
    // then not decoded.
    let parquet = &mut config.options_mut().execution.parquet;
    (parquet.pushdown_filters, parquet.reorder_filters) = (true, true);
    let context = SessionContext::new_with_config_rt(config, runtime);
    let mut datasets = sources.datasets.clone();
    for place in &sources.urls {
        let remote = Remote::open(place)?;
        datasets.push(remote.dataset(place).await?);
        context.register_object_store(&remote.base, remote.store);
    }
    one_store(&datasets)?;
    let partitions = partitions(&datasets)?;
    for table in Table::ALL {
        let urls = datasets
            .iter()
            .map(|dataset| {
                let url = dataset.url.join(&format!("{}/", table.name()))?;
                // Not parsed from a text: a path may have what patterns are made of.
                Ok(ListingTableUrl::try_new(url, None)?)
            })
            .collect::<Result<Vec<_>>>()?;
        let columns = partitions.iter().map(|key| (key.clone(), DataType::Utf8)).collect();
        let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
            .with_file_extension(".parquet")
            .with_table_partition_cols(columns);
        let config = ListingTableConfig::new_with_multi_paths(urls)
            .with_listing_options(options)
            .with_schema(Arc::new(schema(table)?));
        let provider = Arc::new(ListingTable::try_new(config)?);
        if partitions.is_empty() {
            context.register_table(table.name(), provider)?;
            continue;
        }
        // For an equation with a partition's column the engine looks for a folder of that name,
        // which it escapes in another way than exports do. So it gets an expression for a column.
        let files = format!("{}_files", table.name());
        context.register_table(&*files, provider)?;
        let columns: Vec<String> = partitions
            .iter()
            .map(|key| key.replace('"', "\"\""))
            .map(|key| format!("nullif(\"{key}\", '') AS \"{key}\""))
            .collect();
        let view = format!(
            "CREATE VIEW {} AS SELECT * REPLACE ({}) FROM {files}",
            table.name(),
            columns.join(", ")
        );
        context.sql(&view).await?;
    }
    check_schema(&context).await?;
    context.sql(NAMES).await?;
    Ok(context)
}

/// The columns of a table, without those of partitions.
fn schema(table: Table) -> Result<Schema> {
    use datafusion::parquet::schema::{parser::parse_message_type, types::SchemaDescriptor};
    let parsed = parse_message_type(&table.schema())?;
    Ok(parquet_to_arrow_schema(&SchemaDescriptor::new(Arc::new(parsed)), None)?)
}

/// Holds that all directories are in one store: the engine lists all files of a table in one.
fn one_store(datasets: &[Dataset]) -> Result<()> {
    let store = |dataset: &Dataset| dataset.url[..Position::BeforePath].to_owned();
    let mut stores = datasets.iter().map(store);
    let first = stores.next();
    match stores.all(|other| Some(&other) == first.as_ref()) {
        true => Ok(()),
        false => bail!(Usage(
            "the sources are in several stores: ask them one by one, or copy them to one"
                .to_owned()
        )),
    }
}

/// The partitions of all directories, which must be the same.
fn partitions(datasets: &[Dataset]) -> Result<Vec<String>> {
    let mut all = datasets.iter().map(|dataset| &dataset.partitions);
    let first = all.next().cloned().unwrap_or_default();
    match all.all(|other| *other == first) {
        true => Ok(first),
        false => bail!(Usage(
            "the sources have different partitions: ask them one by one, or export them alike"
                .to_owned()
        )),
    }
}

/// Holds that this program knows what the columns mean.
async fn check_schema(context: &SessionContext) -> Result<()> {
    let newest = context.sql("SELECT max(schema) AS schema FROM runs").await?.collect().await;
    let newest = newest.context("cannot read the table runs")?;
    let newest = newest
        .iter()
        .filter_map(|batch| batch.column(0).as_any().downcast_ref::<Int32Array>())
        .find_map(|schema| schema.iter().flatten().next());
    match newest.and_then(|newest| u32::try_from(newest).ok()) {
        Some(newest) if newest > SCHEMA_VERSION => bail!(
            "the tables have schema {newest}, of a later jfathom; this one knows up to \
             {SCHEMA_VERSION}"
        ),
        _ => Ok(()),
    }
}

/// The rows that answer a question. Queries only read: statements that change tables or files are
/// refused.
///
/// # Errors
/// The query is no SQL, names what is not there, or needs more memory and temporary space than
/// there is.
pub async fn rows(
    context: &SessionContext,
    question: &Question,
) -> Result<SendableRecordBatchStream> {
    let only_reads =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    let mut rows = context.sql_with_options(&question.sql, only_reads).await.map_err(wrong)?;
    if let Some(method) = &question.method {
        rows = rows.with_param_values(vec![("method", ScalarValue::from(method.as_str()))])?;
    }
    Ok(rows.execute_stream().await?)
}

/// An error of the engine before it has read anything: what is wrong with the query is a wrong
/// argument.
fn wrong(error: DataFusionError) -> anyhow::Error {
    match error.find_root() {
        DataFusionError::SQL(..) | DataFusionError::Plan(_) | DataFusionError::SchemaError(..) => {
            Usage(error.strip_backtrace()).into()
        }
        _ => error.into(),
    }
}
