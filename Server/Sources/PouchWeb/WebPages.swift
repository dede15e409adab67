import Foundation
import Hummingbird
import NIOCore
import PouchContract
import PouchHTTP
import PouchWire

/// The pages of the shop and of its administration.
///
///     WebPages.add(to: router, services, settings, actions: table)
public enum WebPages {
    /// Adds the routes of all pages.
    ///
    /// - Parameters:
    ///   - router: that of the API, whose middleware counts, measures and logs pages, too.
    ///   - actions: the routes of the API, by which forms take effect.
    public static func add(
        to router: Router<PouchRequestContext>, _ services: ShopServices, _ settings: WebSettings, actions: RouteTable
    ) {
        let routes = PageRoutes(site: Site(services, settings, actions: actions), router: router)
        routes.addFiles()
        routes.addCatalogPages()
        routes.addCartPages()
        routes.addCheckoutPages()
        routes.addOrderPages()
        routes.addSessionPages()
        routes.addAccountPages()
        routes.addProfilePages()
        routes.addAddressPages()
        routes.addMailLinkPages()
        routes.addDocs()
        routes.addAdminSignIn()
        routes.addAdminStart()
        routes.addAdminOrderPages()
        routes.addProductListPages()
        routes.addProductPages()
        routes.addPictureForm()
        routes.addImportPages()
        routes.addStockPages()
        routes.addOutlinePages()
        routes.addFrontPageForm()
        routes.addAdminCustomerPages()
        routes.addAdminSearch()
        routes.addAdminExports()
        routes.addDiscountPages()
        routes.addPricePages()
        routes.addSettingsPage()
        routes.addWebhookPages()
        routes.addMailPages()
        routes.addStaffPages()
        routes.addKeyPages()
        routes.addAuditPage()
        routes.addHealthPage()
        routes.addDeskSecondFactor()
        routes.addStyleguide()
        routes.addUnknownPages()
    }
}

extension PageRoutes {
    /// The stylesheet, the scripts and the icon. Their addresses have a digest of their text, so browsers may keep them.
    fileprivate func addFiles() {
        let theme = site.theme
        router.get("/web/{file}") { request, _ in
            guard let asset = theme.asset(path: request.uri.path) else { throw RequestProblem(.notFound) }
            return Response(
                status: .ok,
                headers: [.contentType: asset.mediaType, .cacheControl: "public, max-age=31536000, immutable"],
                body: .init(byteBuffer: ByteBuffer(string: asset.text)))
        }
        // Browsers ask for it where a document names no icon, such as a packing slip.
        router.get("/favicon.ico") { _, _ in
            Response(status: .found, headers: [.location: theme.path("icon"), .cacheControl: "public, max-age=86400"])
        }
    }

    /// Browsers get a page for an address that there is not; programs get the answer of the API.
    ///
    /// It comes after all routes, so that it is around nothing but the answer to an address without one.
    fileprivate func addUnknownPages() { router.add(middleware: UnknownPages(visits: Visits(site: site))) }
}

private struct UnknownPages: RouterMiddleware {
    let visits: Visits

    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            // Routes that a program adds to those of the shop are behind this, too.
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            let accepts = request.headers[.accept] ?? ""
            guard [.get, .head].contains(request.method), accepts.contains("text/html"),
                !request.uri.path.hasPrefix("/v1/")
            else { throw error }
            return try await visits.answer(request, context) { _ in throw RequestProblem(.notFound) }
        }
    }
}
