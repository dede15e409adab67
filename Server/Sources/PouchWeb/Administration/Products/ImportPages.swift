import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchImport
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the page to import feeds, and the reports of imports.
    func addImportPages() {
        let start = admin("/admin/import", .readCatalog) { ImportPage(admin: $0, report: nil).content }
        form("/admin/import", for: .staff(.writeCatalog), showing: start) { submission, files in
            let report = try await FeedForm(submission: submission, files: files).send()
            return Redirect(to: AdminPath.report(report.id))
        }
        admin("/admin/import/{id}", .readCatalog) { admin in
            let (id, imports) = (try admin.visit.parameter("id"), admin.site.services.imports)
            let report = try await admin.read { try imports.report(id: id, in: $0) }.orNotFound()
            return ImportPage(admin: admin, report: CatalogImport(report)).content
        }
    }
}

/// A feed that is forwarded to the API as it arrives.
private struct FeedForm {
    let submission: Submission
    let files: FileFields

    func send() async throws -> CatalogImport {
        var query = QueryString()
        query.append("format", submission.form["format"])
        query.append("dryRun", submission.form["dryRun"] == "true" ? "true" : nil)
        var report: CatalogImport?
        try await files.forEach { file in
            guard file.field == "file", report == nil else { return }
            var query = query
            query.append("name", file.name)
            // Importing a feed twice changes nothing the second time. The same form can send another file.
            report = try await submission.upload(Contract.importCatalog, file.bytes, query: query) {
                $0[.idempotencyKey] = nil
            }
        }
        if let report { return report }
        throw RequestProblem(
            .validationFailed, "Nothing was imported.",
            [FieldProblem(field: "file", code: "required", detail: "Choose a file.")])
    }
}

struct AdminImportValues: PageModel {
    struct Report: TemplateValues {
        let id, url, title, text: String
        let status: StatusValues
        let isRunning: Bool
        let progressText: String
        let figures: [FactValues]
        let errorsText: String
        let rowErrors: [Row]
        let notesText: String
        let rowNotes: [Row]
    }

    /// A row of the feed that has an error or a note.
    struct Row: TemplateValues {
        let line: Int
        let fieldName, code, detail: String
    }

    let report: Report?
    let isLayers, isDryRun: Bool
    let limitText, uploadTitle: String
    /// The seconds after which browsers without scripts reload the page; nil if the import has ended.
    let refreshSeconds: Int?
}

/// The page to import a feed, with the report of an import.
private struct ImportPage {
    let admin: AdminVisit
    let report: CatalogImport?

    var content: PageContent {
        let values = AdminImportValues(
            report: report.map(values), isLayers: admin.visit.form?["format"] == FeedFormat.layersJSON.rawValue,
            isDryRun: admin.visit.form?["dryRun"] == "true", limitText: "\(Limits.importBytes >> 20) MB",
            uploadTitle: report == nil ? "Choose a file" : "Import another file",
            refreshSeconds: report?.status == .running ? 2 : nil)
        return PageContent(values, title: "Import a catalogue")
    }

    private func values(_ report: CatalogImport) -> AdminImportValues.Report {
        func number(_ number: Int) -> String { admin.visit.language.number(number) }
        let compared = report.created + report.updated + report.unchanged
        let outcome = Self.outcome(report.status)
        return .init(
            id: report.id, url: AdminPath.report(report.id), title: outcome.title, text: outcome.text,
            status: outcome.status,
            isRunning: report.status == .running, progressText: "\(number(compared)) products compared",
            figures: [
                .init(label: "Rows", value: number(report.rows)), .init(label: "New", value: number(report.created)),
                .init(label: "Changed", value: number(report.updated)),
                .init(label: "Unchanged", value: number(report.unchanged)),
                .init(label: "Errors", value: number(report.failed)),
            ],
            errorsText: errorsText(report), rowErrors: report.errors.map(Self.row),
            notesText: admin.count(report.notes.count, "note", "notes"),
            rowNotes: report.notes.map(Self.row))
    }

    private static func row(_ report: CatalogImport.RowError) -> AdminImportValues.Row {
        .init(line: report.line, fieldName: report.field ?? "", code: report.code, detail: report.detail)
    }

    private static func outcome(_ status: CatalogImport.Status) -> (status: StatusValues, title: String, text: String) {
        switch status {
        case .running:
            (
                StatusTone.plain.status("Running"), "The import is running",
                "Comparing the products with the shop's. You can leave this page."
            )
        case .published:
            (StatusTone.good.status("Published"), "The import is complete", "Customers see the changes.")
        case .failed: (StatusTone.bad.status("Failed"), "The import failed", "Nothing was changed. Try again.")
        case .dryRun:
            (
                StatusTone.warn.status("Dry run"), "What the import would change",
                "Nothing was changed. Import the file to make these changes."
            )
        case .unrecognised: (StatusTone.plain.status("Unknown"), "The import is running", "")
        }
    }

    private func errorsText(_ report: CatalogImport) -> String {
        let (all, shown) = (report.failed, report.errors.count)
        let text = admin.count(all, "row has an error", "rows have errors")
        return shown < all ? "\(text); the first \(admin.visit.language.number(shown)) are listed" : text
    }
}
