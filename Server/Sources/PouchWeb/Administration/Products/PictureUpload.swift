import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// Adds the form for pictures. A script receives the address of the uploaded picture; a browser without scripts is
    /// redirected to the product's page with its new pictures.
    func addPictureForm() {
        // The path does not contain the product.
        let page = PageRoute(
            "/admin/products",
            framed { admin in
                guard let product = admin.visit.form?["product"] else {
                    throw admin.visit.failure?.problem ?? RequestProblem(.notFound)
                }
                return try await admin.product(product)
            })
        form("/admin/pictures", for: .staff(.writeCatalog), showing: page) { submission, files in
            let upload = PictureUpload(submission: submission, files: files)
            let isScript = submission.visit.request.headers[.accept] == "application/json"
            if isScript { return try await upload.answer() }
            return try await upload.addToProduct()
        }
    }
}

/// The upload of pictures, which are stored as they arrive, each with its own API request.
private struct PictureUpload {
    let submission: Submission
    let files: FileFields

    /// Returns the first picture as JSON, or the problem with it.
    func answer() async throws -> Response {
        do {
            guard let picture = try await store(atMost: 1).first else { throw Self.missing }
            return Response(
                status: .created, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: try picture.json())))
        } catch {
            guard let problem = RequestProblem(error) else { throw error }
            return problem.response(requestId: submission.visit.context.requestId)
        }
    }

    /// Adds the pictures to the product's current pictures.
    func addToProduct() async throws -> Redirect {
        guard let id = submission.form["product"] else {
            throw RequestProblem(.invalidRequest, "Save the product before you add pictures.")
        }
        let pictures = try await store(atMost: ModelLimits.productImages)
        guard !pictures.isEmpty else { throw Self.missing }
        let productId = try await add(pictures, to: id)
        submission.tell(pictures.count == 1 ? "The picture was added." : "\(pictures.count) pictures were added.")
        return Redirect(to: AdminPath.product(productId) + "#pictures-title")
    }

    /// Adds the pictures to the current version of the product, and tries again if the product has changed: the API
    /// request replaces all pictures.
    ///
    /// - Returns: the id of the product.
    private func add(_ pictures: [Picture], to key: String) async throws -> String {
        let environment = submission.site.environment
        return try await submission.repeatingConflicts {
            let product = try await submission.visit.read { _, repositories in
                try ProductAdministration(environment).product(key, in: repositories)
            }
            var patch = ProductPatch.empty
            patch.images = product.details.images
            for picture in pictures where !product.details.images.contains(where: { $0.url == picture.url }) {
                patch.images?.append(ProductImage(url: picture.url, alt: ""))
            }
            try await submission.perform(Contract.updateProduct, patch, parameters: ["id": product.id]) {
                $0[.ifMatch] = "\"\(product.version)\""
            }
            return product.id
        }
    }

    private func store(atMost most: Int) async throws -> [Picture] {
        var pictures: [Picture] = []
        try await files.forEach { file in
            guard file.field == "picture", pictures.count < most else { return }
            do {
                let picture = try await submission.upload(Contract.addPicture, file.bytes) {
                    $0[.contentType] = file.mediaType
                }
                pictures.append(picture)
            } catch DomainError.invalidPicture(.unsupported) {
                throw RequestProblem(.invalidPicture, Self.advice(on: file))
            }
        }
        return pictures
    }

    /// Advice on a file of an unsupported type.
    private static func advice(on file: FileFields.File) -> String {
        let kind = file.name.split(separator: ".").last?.uppercased() ?? ""
        return switch kind {
        case "HEIC", "HEIF":
            "This is a \(kind) photo, which few browsers show. Save it as JPEG and add it again. An iPhone takes JPEG "
                + "photos with Settings > Camera > Formats > Most Compatible."
        case "SVG": "This is an SVG drawing, which can contain scripts. Save it as PNG and add it again."
        default: "This file is not a PNG, JPEG, WebP or GIF picture. Save it as JPEG and add it again."
        }
    }

    private static var missing: RequestProblem {
        RequestProblem(
            .validationFailed, "No picture was added.",
            [FieldProblem(field: "picture", code: "required", detail: "Choose a picture.")])
    }
}
