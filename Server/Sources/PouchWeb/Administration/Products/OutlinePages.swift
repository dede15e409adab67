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
        let page = admin("/admin/outline", .readCatalog) { try await OutlinePage(desk: $0).content() }
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

    /// Adds a part under the id that was typed. The request of the API would change one that exists.
    func add(_ submission: Submission, by exchange: any AnyExchange) async throws -> Redirect {
        let id = submission.form["id"] ?? ""
        let isTaken = try await submission.site.read(submission.visit) { _, repositories in
            let outline = repositories.outline
            return switch self {
            case .categories: try outline.category(id: id) != nil
            case .seasons: try outline.seasons().contains { $0.id == id }
            case .themes: try outline.themes().contains { $0.id == id }
            }
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
    let desk: Desk

    func content() async throws -> PageContent {
        let (outline, used) = try await desk.read { repositories in
            let outline = try DeskProductPage.Outline(in: repositories)
            return (outline, try UsedParts(outline, in: repositories))
        }
        let seasons = outline.seasons.map { Choice($0.id, $0.name) }
        return PageContent(
            "admin-outline", title: "Categories, seasons and themes",
            [
                "timeZoneText": desk.timeZoneText,
                "canAddTheme": desk.may(.writeCatalog) && !outline.seasons.isEmpty,
                "categories": outline.categories.map { category -> PageValues in
                    [
                        "id": category.id, "name": category.name, "productCount": category.productCount,
                        "productsURL": PagePath.adding([("category", category.id)], to: AdminPath.products),
                        "saveURL": url(.categories, category.id), "deleteURL": url(.categories, category.id, "/delete"),
                        "canDelete": category.productCount == 0,
                    ]
                },
                "seasons": outline.seasons.map { season -> PageValues in
                    [
                        "id": season.id, "name": season.name,
                        "startsAt": desk.field(season.startsAt), "endsAt": desk.field(season.endsAt),
                        "timesText": timesText(season),
                        "saveURL": url(.seasons, season.id), "deleteURL": url(.seasons, season.id, "/delete"),
                        "canDelete": !used.seasons.contains(season.id),
                    ]
                },
                "themes": outline.themes.map { theme -> PageValues in
                    [
                        "id": theme.id, "name": theme.name,
                        "seasonName": seasons.first { $0.value == theme.seasonId }?.label ?? theme.seasonId,
                        "saveURL": url(.themes, theme.id), "deleteURL": url(.themes, theme.id, "/delete"),
                        "canDelete": !used.themes.contains(theme.id),
                        "choices": seasons.values(chosen: theme.seasonId),
                    ]
                },
                "typed": typed,
            ].merging(errors) { $1 })
    }

    private func url(_ kind: OutlineKind, _ id: String, _ end: String = "") -> String {
        PagePath.path("/admin/\(kind.rawValue)/{}", id) + end
    }

    private func timesText(_ season: Season) -> String {
        [season.startsAt.map { "from \(desk.day($0))" }, season.endsAt.map { "until \(desk.day($0))" }]
            .compactMap(\.self).joined(separator: " ")
    }

    /// The kind whose new part could not be added.
    private var failed: OutlineKind? {
        desk.visit.failure == nil ? nil : OutlineKind.allCases.first { desk.visit.path == "/admin/\($0.rawValue)" }
    }

    /// The typed values of the form for a new part, by its kind.
    private var typed: PageValues {
        guard let failed else { return [:] }
        var values: PageValues = [:]
        for field in ["id", "name", "startsAt", "endsAt"] { values[field] = desk.visit.typed(field) }
        return [failed.rawValue: values]
    }

    private var errors: PageValues {
        guard let failed, let failure = desk.visit.failure else { return [:] }
        return ["errors": failure.values(id: "f-\(failed.rawValue)-")]
    }
}

/// The seasons and themes that cannot be deleted, since products or themes are of them.
private struct UsedParts: Sendable {
    private(set) var seasons: Set<String>
    private(set) var themes: Set<String> = []

    init(_ outline: DeskProductPage.Outline, in repositories: any Repositories) throws {
        seasons = Set(outline.themes.map(\.seasonId))
        for season in outline.seasons where try repositories.outline.isUsed(.season, id: season.id) {
            seasons.insert(season.id)
        }
        for theme in outline.themes where try repositories.outline.isUsed(.theme, id: theme.id) {
            themes.insert(theme.id)
        }
    }
}
