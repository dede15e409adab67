import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the page of categories, seasons and themes, and the forms to add, change and delete them.
    func addTaxonomyPages() {
        let page = admin(.taxonomy) { try await TaxonomyPage(admin: $0).content() }
        func forms(_ kind: TaxonomyKind, _ set: any AnyExchange, _ delete: any AnyExchange) {
            let path = "/admin/\(kind.rawValue)"
            form(RouterPath(path), for: set.endpoint.access, showing: page) { submission in
                try await kind.add(submission, by: set)
            }
            form(RouterPath(path + "/{id}"), for: set.endpoint.access, showing: page) { submission in
                try await submission.perform(set)
                submission.tell("“\(submission.form["name"] ?? "")” was saved.")
                return Redirect(to: AdminSection.taxonomy.path + "#\(kind.rawValue)-title")
            }
            form(RouterPath(path + "/{id}/delete"), for: delete.endpoint.access, showing: page) { submission in
                try await submission.perform(delete)
                submission.tell("“\(try submission.visit.parameter("id"))” was deleted.")
                return Redirect(to: AdminSection.taxonomy.path + "#\(kind.rawValue)-title")
            }
        }
        forms(.categories, Contract.setCategory, Contract.deleteCategory)
        forms(.seasons, Contract.setSeason, Contract.deleteSeason)
        forms(.themes, Contract.setTheme, Contract.deleteTheme)
    }
}

struct AdminTaxonomyValues: PageModel {
    struct Category: TemplateValues {
        let id, name: String
        let productCount: Int
        let productsURL, saveURL, deleteURL: String
        let canDelete: Bool
    }

    struct Season: TemplateValues {
        let id, name, startsAt, endsAt, timesText, saveURL, deleteURL: String
        let canDelete: Bool
    }

    struct Theme: TemplateValues {
        let id, name, seasonName, saveURL, deleteURL: String
        let canDelete: Bool
        /// The seasons to choose from.
        let choices: [Choice.Values]
    }

    /// The entries for a new part that could not be added; nil for the other kinds.
    struct Typed: TemplateValues {
        let categories, seasons, themes: NewPart?
    }

    struct NewPart: TemplateValues {
        let id, name, startsAt, endsAt: String
    }

    let timeZoneText: String
    let canAddTheme: Bool
    let categories: [Category]
    let seasons: [Season]
    let themes: [Theme]
    let typed: Typed
    let newThemeSeasons: [Choice.Values]
}

/// The kinds of parts in the catalogue. The raw values are used in paths and input ids.
private enum TaxonomyKind: String, CaseIterable {
    case categories, seasons, themes

    private var part: CatalogPart {
        switch self {
        case .categories: .category
        case .seasons: .season
        case .themes: .theme
        }
    }

    /// Adds a part with the entered id, if it is free: the API request would change an existing part.
    func add(_ submission: Submission, by exchange: any AnyExchange) async throws -> Redirect {
        let id = submission.form["id"] ?? ""
        let isTaken = try await submission.visit.read { _, repositories in
            try repositories.taxonomy.has(part, id: id)
        }
        guard !isTaken, !id.isEmpty else {
            let text = isTaken ? "The ID “\(id)” is already in use. Choose another." : "Enter an ID."
            throw RequestProblem(
                .validationFailed, "Nothing was added.", [FieldProblem(field: "id", code: "invalid", detail: text)])
        }
        var members = submission.json.object ?? [:]
        members["id"] = nil
        try await submission.perform(exchange, JSON.object(members), parameters: ["id": id])
        submission.tell("“\(submission.form["name"] ?? id)” was added.")
        return Redirect(to: AdminSection.taxonomy.path + "#\(rawValue)-title")
    }
}

/// The page of categories, seasons and themes, each in a row with its own form.
private struct TaxonomyPage {
    let admin: AdminVisit

    private struct Parts: Sendable {
        let categories: [PouchEntities.Category]
        let seasons: [Season]
        let themes: [Theme]
        /// The seasons that cannot be deleted, because products or themes belong to them.
        let usedSeasons: Set<String>
        let usedThemes: Set<String>

        init(in repositories: any Repositories) throws {
            let taxonomy = repositories.taxonomy
            categories = try taxonomy.categories()
            seasons = try taxonomy.seasons()
            themes = try taxonomy.themes()
            usedSeasons = try taxonomy.used(.season).union(themes.map(\.seasonId))
            usedThemes = try taxonomy.used(.theme)
        }
    }

    func content() async throws -> PageContent {
        let parts = try await admin.read { try Parts(in: $0) }
        let seasons = parts.seasons.map { Choice($0.id, $0.name) }
        let values = AdminTaxonomyValues(
            timeZoneText: admin.timeZoneText, canAddTheme: admin.may(.writeCatalog) && !seasons.isEmpty,
            categories: parts.categories.map(category),
            seasons: parts.seasons.map { season($0, canDelete: !parts.usedSeasons.contains($0.id)) },
            themes: parts.themes.map { theme($0, canDelete: !parts.usedThemes.contains($0.id), seasons) },
            typed: .init(categories: typed(.categories), seasons: typed(.seasons), themes: typed(.themes)),
            newThemeSeasons: seasons.values(chosen: failed == .themes ? admin.visit.form?["seasonId"] : nil))
        return PageContent(
            values, title: "Categories, seasons and themes",
            failure: failed.map { .ofInputs(prefix: "f-\($0.rawValue)-") } ?? .ofVisit)
    }

    private func category(_ category: PouchEntities.Category) -> AdminTaxonomyValues.Category {
        .init(
            id: category.id, name: text("name", of: .categories, category.id, or: category.name),
            productCount: category.productCount,
            productsURL: PagePath.adding([("category", category.id)], to: AdminSection.products.path),
            saveURL: url(.categories, category.id), deleteURL: url(.categories, category.id, "/delete"),
            canDelete: category.productCount == 0)
    }

    private func season(_ season: Season, canDelete: Bool) -> AdminTaxonomyValues.Season {
        .init(
            id: season.id, name: text("name", of: .seasons, season.id, or: season.name),
            startsAt: text("startsAt", of: .seasons, season.id, or: admin.field(season.startsAt)),
            endsAt: text("endsAt", of: .seasons, season.id, or: admin.field(season.endsAt)),
            timesText: admin.period(from: season.startsAt, until: season.endsAt, admin.day),
            saveURL: url(.seasons, season.id), deleteURL: url(.seasons, season.id, "/delete"), canDelete: canDelete)
    }

    private func theme(_ theme: Theme, canDelete: Bool, _ seasons: [Choice]) -> AdminTaxonomyValues.Theme {
        .init(
            id: theme.id, name: text("name", of: .themes, theme.id, or: theme.name),
            seasonName: seasons.first { $0.value == theme.seasonId }?.label ?? theme.seasonId,
            saveURL: url(.themes, theme.id), deleteURL: url(.themes, theme.id, "/delete"), canDelete: canDelete,
            choices: seasons.values(chosen: text("seasonId", of: .themes, theme.id, or: theme.seasonId)))
    }

    private func url(_ kind: TaxonomyKind, _ id: String, _ end: String = "") -> String {
        PagePath.path("/admin/\(kind.rawValue)/{}", id) + end
    }

    /// A value in the row of a part: the entered one if the row could not be saved, otherwise the stored one.
    private func text(_ field: String, of kind: TaxonomyKind, _ id: String, or stored: String) -> String {
        admin.visit.path == url(kind, id) ? admin.visit.enteredValue(field, default: stored) : stored
    }

    /// The kind whose new part could not be added.
    private var failed: TaxonomyKind? {
        admin.visit.failure == nil ? nil : TaxonomyKind.allCases.first { admin.visit.path == "/admin/\($0.rawValue)" }
    }

    private func typed(_ kind: TaxonomyKind) -> AdminTaxonomyValues.NewPart? {
        guard failed == kind else { return nil }
        let visit = admin.visit
        return AdminTaxonomyValues.NewPart(
            id: visit.enteredValue("id"), name: visit.enteredValue("name"), startsAt: visit.enteredValue("startsAt"),
            endsAt: visit.enteredValue("endsAt"))
    }
}
