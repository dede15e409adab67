import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// The page of categories, seasons and themes, and the forms that add, change and delete them.
    func addOutlinePages() {
        let page = admin("/admin/outline", .readCatalog) { try await OutlinePage(admin: $0).content() }
        func forms(_ kind: OutlineKind, _ set: any AnyExchange, _ delete: any AnyExchange) {
            let path = "/admin/\(kind.rawValue)"
            form(RouterPath(path), for: set.endpoint.access, showing: page) { submission in
                try await kind.add(submission, by: set)
            }
            form(RouterPath(path + "/{id}"), for: set.endpoint.access, showing: page) { submission in
                try await submission.send(set)
                submission.tell("“\(submission.form["name"] ?? "")” was saved.")
                return Redirect(to: AdminPath.outline + "#\(kind.rawValue)-title")
            }
            form(RouterPath(path + "/{id}/delete"), for: delete.endpoint.access, showing: page) { submission in
                try await submission.send(delete)
                submission.tell("“\(try submission.visit.parameter("id"))” was deleted.")
                return Redirect(to: AdminPath.outline + "#\(kind.rawValue)-title")
            }
        }
        forms(.categories, Contract.setCategory, Contract.deleteCategory)
        forms(.seasons, Contract.setSeason, Contract.deleteSeason)
        forms(.themes, Contract.setTheme, Contract.deleteTheme)
    }
}

/// The parts of the catalogue; the raw values are those of paths and of inputs.
private enum OutlineKind: String, CaseIterable {
    case categories, seasons, themes

    private var part: CatalogPart {
        switch self {
        case .categories: .category
        case .seasons: .season
        case .themes: .theme
        }
    }

    /// Adds a part under the id that was typed. The request of the API would change one that exists.
    func add(_ submission: Submission, by exchange: any AnyExchange) async throws -> Redirect {
        let id = submission.form["id"] ?? ""
        let isTaken = try await submission.site.read(submission.visit) { _, repositories in
            try repositories.outline.has(part, id: id)
        }
        guard !isTaken, !id.isEmpty else {
            let text = isTaken ? "The id “\(id)” is taken. Choose another." : "Enter an id."
            throw RequestProblem(
                .validationFailed, "Nothing was added.", [FieldProblem(field: "id", code: "invalid", detail: text)])
        }
        var members = submission.json.object ?? [:]
        members["id"] = nil
        try await submission.send(exchange, .object(members), parameters: ["id": id])
        submission.tell("“\(submission.form["name"] ?? id)” was added.")
        return Redirect(to: AdminPath.outline + "#\(rawValue)-title")
    }
}

/// The categories, seasons and themes, each in a row with its own form.
private struct OutlinePage {
    let admin: AdminVisit

    private struct Parts: Sendable {
        let categories: [PouchEntities.Category]
        let seasons: [Season]
        let themes: [Theme]
        /// Those that cannot be deleted, since products or themes are of them.
        let usedSeasons: Set<String>
        let usedThemes: Set<String>

        init(in repositories: any Repositories) throws {
            let outline = repositories.outline
            categories = try outline.categories()
            seasons = try outline.seasons()
            themes = try outline.themes()
            usedSeasons = try outline.used(.season).union(themes.map(\.seasonId))
            usedThemes = try outline.used(.theme)
        }
    }

    func content() async throws -> PageContent {
        let parts = try await admin.read { try Parts(in: $0) }
        let seasons = parts.seasons.map { Choice($0.id, $0.name) }
        return PageContent(
            "admin-outline", title: "Categories, seasons and themes",
            [
                "timeZoneText": admin.timeZoneText,
                "canAddTheme": admin.may(.writeCatalog) && !parts.seasons.isEmpty,
                "categories": parts.categories.map { category -> PageValues in
                    [
                        "id": category.id, "name": text("name", of: .categories, category.id, or: category.name),
                        "productCount": category.productCount,
                        "productsURL": PagePath.adding([("category", category.id)], to: AdminPath.products),
                        "saveURL": url(.categories, category.id), "deleteURL": url(.categories, category.id, "/delete"),
                        "canDelete": category.productCount == 0,
                    ]
                },
                "seasons": parts.seasons.map { season -> PageValues in
                    [
                        "id": season.id, "name": text("name", of: .seasons, season.id, or: season.name),
                        "startsAt": text("startsAt", of: .seasons, season.id, or: admin.field(season.startsAt)),
                        "endsAt": text("endsAt", of: .seasons, season.id, or: admin.field(season.endsAt)),
                        "timesText": timesText(season),
                        "saveURL": url(.seasons, season.id), "deleteURL": url(.seasons, season.id, "/delete"),
                        "canDelete": !parts.usedSeasons.contains(season.id),
                    ]
                },
                "themes": parts.themes.map { theme -> PageValues in
                    [
                        "id": theme.id, "name": text("name", of: .themes, theme.id, or: theme.name),
                        "seasonName": seasons.first { $0.value == theme.seasonId }?.label ?? theme.seasonId,
                        "saveURL": url(.themes, theme.id), "deleteURL": url(.themes, theme.id, "/delete"),
                        "canDelete": !parts.usedThemes.contains(theme.id),
                        "choices": seasons.values(
                            chosen: text("seasonId", of: .themes, theme.id, or: theme.seasonId)),
                    ]
                },
                "typed": typed, "newThemeSeasons": seasons.values(chosen: newThemeSeason),
            ].merging(errors) { $1 })
    }

    private func url(_ kind: OutlineKind, _ id: String, _ end: String = "") -> String {
        PagePath.path("/admin/\(kind.rawValue)/{}", id) + end
    }

    private func timesText(_ season: Season) -> String {
        [season.startsAt.map { "from \(admin.day($0))" }, season.endsAt.map { "until \(admin.day($0))" }]
            .compactMap(\.self).joined(separator: " ")
    }

    /// A value in the row of a part: what was typed if the row could not be saved, otherwise the stored one.
    private func text(_ field: String, of kind: OutlineKind, _ id: String, or stored: String) -> String {
        admin.visit.path == url(kind, id) ? admin.visit.typed(field, or: stored) : stored
    }

    /// The kind whose new part could not be added.
    private var failed: OutlineKind? {
        admin.visit.failure == nil ? nil : OutlineKind.allCases.first { admin.visit.path == "/admin/\($0.rawValue)" }
    }

    /// The typed values of the form for a new part, by its kind.
    private var typed: PageValues {
        guard let failed else { return [:] }
        var values: PageValues = [:]
        for field in ["id", "name", "startsAt", "endsAt"] { values[field] = admin.visit.typed(field) }
        return [failed.rawValue: values]
    }

    private var newThemeSeason: String? { failed == .themes ? admin.visit.form?["seasonId"] : nil }

    private var errors: PageValues {
        guard let failed, let failure = admin.visit.failure else { return [:] }
        return ["errors": failure.values(id: "f-\(failed.rawValue)-")]
    }
}
